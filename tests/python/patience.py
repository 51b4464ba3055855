"""How long a test waits for something that has to happen: XB_TEST_PATIENCE seconds. It is one generous limit for all tests, so that
none fails because the machine is busy; it only ends a test that hangs. tests/patience.h is the same."""
import os
import re
import signal
import time

# As in a terminal, also where the suite runs in the background: what is ignored here is ignored by the programs that tests start.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, handler)

S = float(os.environ.get("XB_TEST_PATIENCE") or 600)


def until(condition, what):
    """Waits until condition() is true, and returns its value. `what` says what is waited for."""
    end = time.monotonic() + S
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {S:g} s (XB_TEST_PATIENCE): {what}")
        time.sleep(0.01)
    return value


def handles_endings(pid):
    """True once a program of ours handles the signals that end a run. Before that, they end it without a word."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        caught = int(re.search(r"SigCgt:\s*(\w+)", file.read())[1], 16)
    return all(caught >> (number - 1) & 1 for number in (signal.SIGINT, signal.SIGTERM))
