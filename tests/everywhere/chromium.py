# SPDX-License-Identifier: MIT
"""Drives Chromium over its debugging protocol, through a pipe, and serves files to it. Python's library alone."""

import base64
import functools
import http.server
import json
import os
import select
import shutil
import subprocess
import tempfile
import threading
import time


class Server:
    """Serves a folder, and the bytes of `files` by their paths, on a free port of this machine. The former is also in
    web/. Pages of other servers may read the files (CORS)."""

    def __init__(self, folder, files={}):
        class Quiet(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

            def log_message(self, *_):
                pass

            def translate_path(self, path):
                return super().translate_path(path.removeprefix("/web"))

            def do_GET(self):
                bytes_of = files.get(self.path.split("?")[0])
                if bytes_of is None:
                    return super().do_GET()
                self.send_response(200)
                self.send_header("Content-Type", self.guess_type(self.path.split("?")[0]))
                self.send_header("Content-Length", str(len(bytes_of)))
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                self.wfile.write(bytes_of)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


class Chromium:
    """One browser with one tab, drawn by software, without a display."""

    def __init__(self, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="limber-chromium-")
        self.downloads = os.path.join(self.folder, "downloads")
        os.mkdir(self.downloads)
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()

        def connect():  # the browser reads descriptor 3 and writes 4
            os.dup2(to_read, 10)
            os.dup2(to_write, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [
                find_chromium(), "--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--use-gl=angle",
                "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--remote-debugging-pipe", "--no-first-run",
                "--disable-extensions", "--mute-audio", f"--user-data-dir={self.folder}/profile",
                f"--window-size={width},{height}", "--force-device-scale-factor=1", "about:blank",
            ],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.number, self.rest, self.answers = 0, b"", {}
        self.faults = []  # exceptions and errors of the page
        self.loads = 0
        self.chooser = None  # the open dialog for files, if there is one
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.setInterceptFileChooserDialog", enabled=True)
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, timeout=120, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if self.session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while number not in self.answers:
            self.listen(end - time.monotonic())
            if time.monotonic() > end:
                raise TimeoutError(f"{method} got no answer within {timeout} s")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def listen(self, seconds):
        """Takes what the browser says within some seconds."""
        if not select.select([self.into], [], [], max(seconds, 0.0))[0]:
            return
        data = os.read(self.into, 1 << 20)
        if not data:
            raise RuntimeError("Chromium has ended")
        *messages, self.rest = (self.rest + data).split(b"\0")
        for text in messages:
            message = json.loads(text)
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                self.hear(message["method"], message["params"])

    def hear(self, method, told):
        if method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            harmless = ("favicon" in told["entry"].get("url", "") or "'beforeunload' confirmation" in told["entry"]["text"])
            if not harmless:
                self.faults.append(told["entry"]["text"])
        elif method == "Page.fileChooserOpened":
            self.chooser = told["backendNodeId"]
        elif method == "Page.loadEventFired":
            self.loads += 1
        elif method == "Page.javascriptDialogOpening":  # the question before leaving with unsaved work
            message = {"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": True},
                       "sessionId": self.session}
            os.write(self.out, json.dumps(message).encode() + b"\0")

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.listen(end - time.monotonic())

    def wait_for(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if result := condition():
                return result
            self.wait(0.1)
        raise AssertionError(f"after {seconds} s: {what}; faults: {self.faults[:3]}")

    def go(self, address):
        loads = self.loads
        self.call("Page.navigate", url=address)
        self.wait_for(lambda: self.loads > loads, f"{address} is not loaded")

    def reload(self):
        loads = self.loads
        self.call("Page.reload")
        self.wait_for(lambda: self.loads > loads, "the page is not loaded again")

    def run(self, script, **options):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, **options)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def mouse(self, kind, x, y, button="none", buttons=0, modifiers=0, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, modifiers=modifiers,
                  clickCount=1 if button != "none" else 0, pointerType="mouse", **more)

    def drag(self, start, end, steps=12):
        """Presses at the start and releases at the end."""
        self.mouse("mouseMoved", *start)
        self.wait(0.2)
        self.mouse("mousePressed", *start, button="left", buttons=1)
        for i in range(1, steps + 1):
            part = i / steps
            self.mouse("mouseMoved", *[a + part * (b - a) for a, b in zip(start, end)], button="left", buttons=1)
            self.wait(0.03)
        self.wait(0.3)
        self.mouse("mouseReleased", *end, button="left", buttons=0)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.wait(0.2)
        self.mouse("mousePressed", x, y, button="left", buttons=1)
        self.wait(0.1)
        self.mouse("mouseReleased", x, y, button="left", buttons=0)

    def touch(self, kind, *points):
        self.call("Input.dispatchTouchEvent", type=kind,
                  touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def choose(self, paths):
        """Answers the dialog of the browser for files."""
        self.wait_for(lambda: self.chooser, "no dialog for files")
        self.call("DOM.setFileInputFiles", files=paths, backendNodeId=self.chooser)
        self.chooser = None

    def key(self, key, code, modifiers=0, number=0):
        held = {"key": key, "code": code, "modifiers": modifiers, "windowsVirtualKeyCode": number}
        text = {"text": key} if len(key) == 1 and not modifiers & 6 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **held, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **held)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
