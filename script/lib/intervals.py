"""The 95 % intervals of today's rules (bench/judge/stats.c and judge.c), for files that were written by older ones. The rules:
1, until 2026-11-25: not widened where successive samples are alike; the ends of a median's are order statistics
2, until 2026-11-28: widened by the rank correlation of successive samples if that is positive
3: wider below 16 samples, where a correlation is often not seen"""
import math
import statistics
from bisect import bisect_left, bisect_right
from functools import cache

NEWEST = 3
FEW = [math.inf, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646]  # Student's t, 97.5 %


def student(freedom):
    if freedom < len(FEW):
        return FEW[freedom]
    z, n = 1.959964, freedom
    return z * (1 + (z**2 + 1) / (4 * n) + ((5 * z**2 + 16) * z**2 + 3) / (96 * n**2) + (((3 * z**2 + 19) * z**2 + 17) * z**2 - 15) / (384 * n**3))


def of_median(ordered):
    n, below, depth = len(ordered), 0, 0
    for k in range((n + 1) // 2):
        following = below + math.comb(n, k) / 2**n
        if following > 0.025:
            break
        below, depth = following, k + 1
    if not depth:
        return ordered[0], ordered[-1]
    part = (0.025 - below) / (following - below)
    inwards = (n - depth) * part / (depth + (n - 2 * depth) * part)
    return (ordered[depth - 1] + inwards * (ordered[depth] - ordered[depth - 1]),
            ordered[n - depth] - inwards * (ordered[n - depth] - ordered[n - depth - 1]))


def correlation(values):
    """Of the rank of each value with that of the one before it."""
    ordered, middle = sorted(values), len(values) / 2
    ranks = [(bisect_left(ordered, v) + bisect_right(ordered, v)) / 2 - middle for v in values]
    squares = sum(rank * rank for rank in ranks)
    return sum(a * b for a, b in zip(ranks, ranks[1:])) / squares if squares else 0


def of_samples(samples, placements, rule=NEWEST):
    """(median, low, high, how much wider it is because successive samples are alike), by rule 2 or 3"""
    count = len(samples)
    if placements > 1:
        own = [samples[p::placements] for p in range(min(placements, count))]
        medians = [statistics.median(values) for values in own]
        n, median = len(own), statistics.fmean(medians)
        half = student(n - 1) * math.sqrt(sum((m - median)**2 for m in medians) / (n - 1) / n) if n > 1 else 0
        noise = 1.96 * math.sqrt(1.5708 * sum(statistics.variance(v) / len(v) for v in own if len(v) > 1)) / n
        low, high, scaled = median - half, median + half, [s / medians[i % placements] * median for i, s in enumerate(samples)]
    else:
        median, scaled, half, noise = statistics.median(samples), samples, 0, 0
        low, high = of_median(sorted(samples))
    found = correlation(scaled)
    r = min(max(found, 0) * (1 + 16 / count), 0.9)
    factor = math.sqrt((1 + r) / (1 - r))
    if rule > 2 and 5 < count < 16:
        factor = max(factor, (10 - count * (0.46 - found)) / 3)
    if placements > 1:
        factor = math.sqrt(1 + (noise / half)**2 * (factor**2 - 1)) if half > 0 else 1
    return median, median - factor * (median - low), median + factor * (high - median), factor


@cache
def rule_of_samples(samples, placements, low, high):
    return next((rule for rule in (NEWEST, 2) if all(abs(a - b) <= 1e-6 * high for a, b in
                                                    zip(of_samples(samples, placements, rule)[1:3], (low, high)))), NEWEST)


def rule_of(result):
    """By which the file's intervals are. Files do not say it; rules 2 and 3 differ below 16 samples only."""
    if "autocorrelation" not in result:
        return 1
    return rule_of_samples(tuple(result["samples_ns"]), result["placements"] or 1, *result["ci95_ns"]) if len(result["samples_ns"]) < 16 else NEWEST


def of_result(result):
    """The interval of a result's time."""
    if rule_of(result) == NEWEST:
        return result["ci95_ns"]
    _, low, high, _ = of_samples(result["samples_ns"], result["placements"] or 1)
    return max(low, 0), high


def widening(sides):
    """The factor by which the resamples of a ratio in the same rounds, and so their quantiles, lie further from it than in the file."""
    rule, placements = rule_of(sides[0]), sides[0]["placements"] or 1
    if rule == NEWEST or sides[0]["placements"] != sides[1]["placements"]:
        return 1
    ratios = [a / b for a, b in zip(*(side["samples_ns"] for side in sides))]
    return of_samples(ratios, placements)[3] / (of_samples(ratios, placements, rule)[3] if rule > 1 else 1)


def of_ratio(ratio, interval, sides):
    factor = widening(sides)
    return [ratio * (end / ratio)**factor for end in interval]


def of_ratio_less_floors(ratio, interval, sides):
    factor = widening(sides)
    return [ratio + factor * (end - ratio) for end in interval]
