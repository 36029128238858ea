# SPDX-License-Identifier: MIT
"""A headless Chromium, spoken to over its debugging pipe: no driver, no library."""
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile

from tap import finish, ok

# The lowest contrast of any text with what is behind it, as WCAG 2 has it.
CONTRAST = """(() => {
    const parse = c => c.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
    const behind = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] > 0) return c } return [255, 255, 255] };
    return Math.min(...[...document.querySelectorAll('main *')].filter(e => [...e.childNodes].some(n => n.nodeType === 3 &&
        n.data.trim())).map(e => { const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
        return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) }))})()"""

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def find():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("google-chrome")


class Chromium:
    """One browser with one page. Collects what the page writes to its console."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="hadal-chromium-")
        down, self.write = os.pipe()
        self.read, up = os.pipe()

        def place():
            os.dup2(down, 1000)
            os.dup2(up, 1001)
            os.dup2(1000, 3)
            os.dup2(1001, 4)

        self.browser = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions", f"--user-data-dir={self.profile}", "--remote-debugging-pipe"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=place, pass_fds=(3, 4))
        os.close(down)
        os.close(up)
        self.buffer, self.count, self.console, self.events, self.session = b"", 0, [], [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.browser.kill()
        self.browser.wait()
        os.close(self.read)
        os.close(self.write)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        """The next message of the browser."""
        while b"\0" not in self.buffer:
            data = os.read(self.read, 1 << 20)
            if not data:
                raise RuntimeError("Chromium has ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if message.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.console.append(message["params"])
        self.events.append(message.get("method"))
        return message

    def call(self, method, **params):
        self.count += 1
        request = {"id": self.count, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, path):
        """Shows a file."""
        self.console.clear()
        self.events.clear()
        self.call("Page.navigate", url=f"file://{path}")
        while "Page.loadEventFired" not in self.events:
            self.message()

    def look(self, width, theme):
        """In a window of that width, in the light or the dark theme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def run(self, script):
        """What the script evaluates to."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def picture(self):
        """The whole page as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"])


def looks(page, name, pictures):
    """In turn each look that `name` is checked in; what holds for every page of ours is checked, too. `pictures` is a
    folder for a picture of each, or None."""
    for width, theme in [(width, theme) for width in (1280, 400) for theme in ("light", "dark")]:
        look = f"{name}, {width} px, {theme}"
        page.look(width, theme)
        yield look
        ok(page.run(OVERFLOW) == 0, f"{look}: nothing sticks out", page.run(OVERFLOW))
        ok(page.run(CONTRAST) >= 4.5, f"{look}: all text can be read", page.run(CONTRAST))
        if pictures:
            with open(os.path.join(pictures, re.sub("[^\\w.]+", "-", look) + ".png"), "wb") as file:
                file.write(page.picture())


def run(check):
    """Calls check(page, folder) with a browser and a folder for pages, and ends the script."""
    if not find():
        print("1..0 # SKIP no Chromium (Debian package chromium)")
        return
    page = Chromium()
    try:
        with tempfile.TemporaryDirectory() as folder:
            check(page, folder)
    finally:
        page.close()
    finish()
