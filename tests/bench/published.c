/* Which published figures stand beside a result, and how those of a group are printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/result_columns.h"
#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A ladder with sizes, figures of any size, and a place on an axis. */
static const xb_quoted quotes[] = {
    {.variant = 1, .value = 2, .unit = "GB/s", .hardware = "A", .size = "2^22 ints", .source = "deck"},
    {.variant = 1, .value = 100, .unit = "GB/s", .hardware = "A", .size = "2^20 ints", .source = "deck"},
    {.variant = 2, .value = 5, .unit = "GB/s", .hardware = "A", .size = "2^22 ints", .source = "deck"},
    {.variant = 3, .value = 20, .unit = "GB/s", .hardware = "A", .size = "2^22 ints", .source = "deck"},
    {.variant = 3, .value = 9, .unit = "us", .hardware = "A", .size = "2^22 ints", .source = "deck"},
    {.variant = 3, .value = 70, .unit = "GB/s", .hardware = "A", .size = "2^22 ints", .source = "paper"},
    {.variant = 4, .value = 16.5, .unit = "GiB/s", .hardware = "B", .size = "2048x2048 floats", .source = "deck"},
    {.variant = 4, .value = 0.9, .unit = "of copy", .hardware = "B", .size = "any", .source = "deck"},
    {.variant = 4, .value = 2.25, .unit = "step", .hardware = "B", .size = "any", .source = "deck"},
    {.variant = 4, .value = 4.5, .unit = "cumulative", .hardware = "B", .size = "any", .source = "deck"},
    {.variant = 4, .value = 3, .unit = "of A, B", .hardware = "B", .size = "any", .source = "deck"},
    {.variant = 5,
     .value = 1,
     .unit = "GB/s",
     .hardware = "C, loop in kernel",
     .size = "2^20 floats",
     .source = "deck"},
    {.variant = 5,
     .value = 2,
     .unit = "ms",
     .hardware = "C, loop over kernel",
     .size = "2^20 floats",
     .source = "deck"},
    {.variant = 6,
     .at = "0,8,3..5",
     .value = 7,
     .unit = "GB/s",
     .hardware = "D",
     .size = "2^20 floats",
     .source = "deck"},
    {.variant = 6, .value = 32, .unit = "segments", .hardware = "D", .size = "any", .source = "deck"},
};
static const xb_result_axis axis = {.name = "offset", .base = 2};

static xb_result_benchmark benchmark_of(bool has_axis)
{
  xb_result_benchmark b = {.name = "own", .ladder = 1};
  b.quoted.values = quotes;
  b.quoted.count = COUNT(quotes);
  b.axes.values = &axis;
  b.axes.count = has_axis;
  return b;
}

TEST(test_beside_a_result)
{
  static const struct {
    int number;
    uint64_t size, rows;
    const char *loop, *benchmark;
    int at; /* the place on the axis; -1: it has none */
    const char *expected;
  } rows[] = {
      {1, 1 << 22, 0, NULL, "own", -1, "2 GB/s"},
      {1, 1 << 20, 0, NULL, "own", -1, "100 GB/s"},
      {1, 1 << 21, 0, NULL, "own", -1, ""},
      {1, 1 << 22, 0, NULL, "yardstick", -1, ""},
      {2, 1 << 22, 0, NULL, "own", -1, "5 GB/s, step 2.50x, cumulative 2.50x"},
      {3, 1 << 22, 0, NULL, "own", -1, "20 GB/s, 9 us, step 4.00x, cumulative 10.00x"},
      {4, 1 << 22, 2048, NULL, "own", -1, "16.5 GiB/s (17.72 GB/s), 90 %, step 2.25x, cumulative 4.5x"},
      {4, 1 << 22, 1024, NULL, "own", -1, "90 %, step 2.25x, cumulative 4.5x"},
      {5, 1 << 20, 0, NULL, "own", -1, "2 ms"},
      {5, 1 << 20, 0, "kernel", "own", -1, "1 GB/s"},
      {5, 1 << 20, 0, "host", "own", -1, "2 ms"},
      {6, 1 << 20, 0, NULL, "own", 0, "7 GB/s"},
      {6, 1 << 20, 0, NULL, "own", 8, "7 GB/s"},
      {6, 1 << 20, 0, NULL, "own", 3, "7 GB/s"},
      {6, 1 << 20, 0, NULL, "own", 5, "7 GB/s"},
      {6, 1 << 20, 0, NULL, "own", 6, ""},
      {6, 1 << 20, 0, NULL, "own", 7, ""},
      {6, 1 << 20, 0, NULL, "own", 2, "32 access"}, /* the base, by the model's name */
      {6, 1 << 20, 0, NULL, "own", -1, ""},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const xb_at at = {"offset", rows[i].at};
    char got[XB_SHEET_TEXT];
    const xb_result_benchmark b = benchmark_of(rows[i].number == 6);
    xb_result r = {.benchmark = rows[i].benchmark, .variant_number = (uint64_t)rows[i].number};
    r.work.size = rows[i].size;
    r.work.rows = r.work.columns = rows[i].rows;
    r.conditions.loop = rows[i].loop;
    r.rates.model.name = rows[i].number == 6 ? "access" : NULL;
    r.rates.model.unit = rows[i].number == 6 ? "segments" : NULL;
    r.at.values = &at;
    r.at.count = rows[i].at >= 0;
    xb_format_published(&b, &r, got);
    if (strcmp(got, rows[i].expected) != 0)
      fail_msg("row %zu: '%s', expected '%s'", i, got, rows[i].expected);
  }
}

/* Speed-ups follow from figures of the same unit, hardware and size, and only where the variants are a ladder. */
TEST(test_speed_ups)
{
#define OF(n, v, u, h, s)                                                                                              \
  {                                                                                                                    \
    .variant = n, .value = v, .unit = u, .hardware = h, .size = s, .source = "deck"                                    \
  }
  static const struct {
    xb_quoted before;
    xb_flag ladder;
    const char *expected;
  } rows[] = {
      {OF(1, 2, "GB/s", "A", "2^20 ints"), 1, "8 GB/s, step 4.00x, cumulative 4.00x"},
      {OF(1, 2, "GB/s", "A", "2^20 ints"), 0, "8 GB/s"},
      {OF(1, 2, "GB/s", "B", "2^20 ints"), 1, "8 GB/s"},
      {OF(1, 2, "GB/s", "A", "2^19 ints"), 1, "8 GB/s"},
      {OF(1, 2, "us", "A", "2^20 ints"), 1, "8 GB/s"},
      {OF(0, 2, "GB/s", "A", "2^20 ints"), 1, "8 GB/s"},
      {OF(2, 2, "GB/s", "A", "2^20 ints"), 1, "2 GB/s"}, /* twice: the first counts */
      {OF(3, 2, "GB/s", "A", "2^20 ints"), 1, "8 GB/s"},
      {OF(1, 0, "GB/s", "A", "2^20 ints"), 1, "8 GB/s"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char got[XB_SHEET_TEXT];
    const xb_quoted both[] = {rows[i].before, OF(2, 8, "GB/s", "A", "2^20 ints")};
    xb_result_benchmark b = {.name = "own", .ladder = rows[i].ladder};
    b.quoted.values = both;
    b.quoted.count = 2;
    xb_result r = {.benchmark = "own", .variant_number = 2};
    r.work.size = 1 << 20;
    xb_format_published(&b, &r, got);
    if (strcmp(got, rows[i].expected) != 0)
      fail_msg("row %zu: '%s', expected '%s'", i, got, rows[i].expected);
  }
}

TEST(test_printed)
{
  static const xb_quoted of_all[] = {OF(0, 5, "GB/s", "A", "2^20 ints"), OF(1, 1, "GB/s", "A", "2^20 ints"),
                                     OF(1, 2, "us", "A", "2^19 ints")};
  static const xb_quoted mixed[] = {
      {.variant = 1, .value = 3, .unit = "us", .hardware = "A", .size = "s", .source = "x"},
      {.variant = 1, .at = "8", .value = 2, .unit = "step", .hardware = "A", .size = "s", .source = "y"}};
  static const struct {
    const xb_quoted *quoted;
    size_t count;
    const char *benchmark;
    int number;
    bool markdown;
    const char *expected;
  } rows[] = {
      {of_all, 3, "own", 1, false,
       "\npublished values, for other hardware:\n  A; 2^20 ints; deck: 5 GB/s, 1: 1 GB/s\n  A; 2^19 ints; deck: 1: 2 "
       "us\n"},
      {of_all, 3, "own", 2, false, ""},
      {of_all, 3, "yardstick", 1, false, ""},
      {of_all, 1, "own", 2, false, "\npublished values, for other hardware:\n  A; 2^20 ints; deck: 5 GB/s\n"},
      {mixed, 2, "own", 1, false,
       "\npublished values, for other hardware:\n  A; s; x: 1: 3 us\n  A; s; y: 1 at 8: 2x step\n"},
      {mixed, 1, "own", 1, true, "published values, for other hardware:\n\n- A; s; x\\: 1: 3 us\n\n"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *got = NULL;
    size_t length;
    xb_result_benchmark b = {.name = "own"};
    b.quoted.values = rows[i].quoted;
    b.quoted.count = rows[i].count;
    const xb_result r = {.benchmark = rows[i].benchmark, .variant_number = (uint64_t)rows[i].number};
    const xb_group group = {.benchmark = &b, .results = &r, .count = 1};
    FILE *file = open_memstream(&got, &length);
    xb_print_published(file, &group, rows[i].markdown);
    fclose(file);
    if (strcmp(got, rows[i].expected) != 0)
      fail_msg("row %zu: '%s', expected '%s'", i, got, rows[i].expected);
    free(got);
  }
}
