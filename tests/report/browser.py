"""Controls a headless Chromium through the pipe of its DevTools protocol: without a port, and with Python's library only."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

import patience

FOUND = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# No sandbox: it does not work for root in a container, and the pages are trusted.
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
         "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--hide-scrollbars",
         "--remote-debugging-pipe"]


class Browser:
    """One browser process; open() loads a page. Requests are sequential."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="xbench-chromium-")
        self.number, self.rest, self.events = 0, b"", []
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()

        def become_3_and_4():
            theirs = os.dup(to_read), os.dup(to_write)  # move them to free numbers first
            for fd, place in zip(theirs, (3, 4)):
                os.dup2(fd, place)
                os.set_inheritable(place, True)

        self.process = subprocess.Popen([FOUND, *FLAGS, f"--user-data-dir={self.profile}"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
                                        preexec_fn=become_3_and_4, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self.call("Browser.close", session=None)
        except (OSError, EOFError):
            pass
        os.close(self.to)
        os.close(self.back)
        try:
            self.process.wait(patience.S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    # ---- The protocol: JSON, a 0 byte ends each message ----

    def message(self):
        end = time.monotonic() + patience.S
        while b"\0" not in self.rest:
            if not select.select([self.back], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"the browser did not answer for {patience.S:g} s (XB_TEST_PATIENCE)")
            more = os.read(self.back, 1 << 20)
            if not more:
                raise EOFError("the browser has exited")
            self.rest += more
        first, self.rest = self.rest.split(b"\0", 1)
        return json.loads(first)

    def call(self, method, session="", **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session == "" and hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    # ---- Pages ----

    def look(self, width, dark=False, media=""):
        """Sets the width, a light or dark colour scheme, and screen or print."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path):
        """Loads the page. Returns the errors of the console and of the network."""
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("Page.loadEventFired")
        self.evaluate("1")
        return [event for event in self.events if is_trouble(event)]

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def screenshot(self, path, height=None):
        """Captures the whole page, or its first `height` points."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], height or 1e9), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


def is_trouble(event):
    method, params = event.get("method"), event.get("params", {})
    return (method == "Runtime.exceptionThrown"
            or (method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"))
            or (method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"))
            or method == "Network.loadingFailed")
