#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/everywhere/input.py

Tests src/web without the program, in Chromium: what mouse, keys, wheel and fingers become, and what a browser that cannot
run the program is told. Exit code 77 says that Chromium is not installed."""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import chromium as browser  # noqa: E402

WEB = os.path.join(os.path.dirname(__file__), "..", "..", "src", "web")
CALLBACKS = ["key", "char", "button", "cursor", "scroll", "size", "focus"]


def prepare(chrome, address):
    """Loads the page without a program; calls of the program are kept in `calls`."""
    chrome.go(address)
    chrome.wait_for(lambda: "could not be loaded" in chrome.run("note.textContent"), "the page says nothing")
    chrome.faults.clear()  # the browser reports the missing file
    chrome.run("globalThis.calls = []")
    chrome.run("LimberPage.functionOf = name => (window, ...values) => { calls.push([name, ...values]); }")
    for name in CALLBACKS:
        chrome.run(f"LimberPage.install('{name}', '{name}')")
    chrome.run("globalThis.allocateUTF8 = text => text; globalThis._free = () => {}; LimberPage.resize(); "
               "LimberPage.listen()")
    chrome.run("Module.canvas.focus(); calls.length = 0")


def calls(chrome, name):
    found = chrome.run(f"calls.splice(0).filter(call => call[0] === '{name}').map(call => call.slice(1))")
    assert not chrome.faults, chrome.faults
    return found


def test_mouse(chrome, address):
    prepare(chrome, address)
    chrome.mouse("mouseMoved", 100, 50)
    assert calls(chrome, "cursor") == [[100, 50]]
    chrome.mouse("mousePressed", 100, 50, button="left", buttons=1, modifiers=8)
    assert calls(chrome, "button") == [[0, 1, 1]], "pressed with Shift"
    chrome.mouse("mousePressed", 100, 50, button="right", buttons=3)
    assert calls(chrome, "button") == [[1, 1, 0]], "a second button while the first is held"
    chrome.mouse("mouseReleased", 100, 50, button="right", buttons=1)
    chrome.mouse("mouseReleased", 100, 50, button="left", buttons=0)
    assert calls(chrome, "button") == [[1, 0, 0], [0, 0, 0]]
    chrome.mouse("mouseWheel", 100, 50, deltaX=0, deltaY=-100)
    assert calls(chrome, "scroll") == [[0, 1]], "one step of a wheel is one step"


def test_display_scale(chrome, address):
    prepare(chrome, address)
    chrome.call("Emulation.setDeviceMetricsOverride", width=1000, height=600, deviceScaleFactor=2, mobile=False)
    chrome.wait(0.3)
    chrome.run("LimberPage.resize()")
    assert calls(chrome, "size")[-1] == [2000, 1200]
    chrome.mouse("mouseMoved", 100, 50)
    assert calls(chrome, "cursor")[-1] == [200, 100]


def test_keys(chrome, address):
    prepare(chrome, address)
    chrome.key("a", "KeyA", 0, 65)
    assert chrome.run("calls.slice()") == [["key", 65, 65, 1, 0], ["char", 97], ["key", 65, 65, 0, 0]]
    assert chrome.run("LimberPage.keyName(65)") == "a"
    chrome.run("calls.length = 0")
    chrome.key("z", "KeyZ", 2, 90)
    assert chrome.run("calls.slice()") == [["key", 90, 90, 1, 2], ["key", 90, 90, 0, 2]], "Ctrl+Z types nothing"
    # On a German keyboard the key Y is where Z is: shortcuts go by what is typed.
    chrome.key("y", "KeyZ", 0, 89)
    assert chrome.run("LimberPage.keyName(90)") == "y"
    chrome.run("calls.length = 0; dispatchEvent(new KeyboardEvent('keydown', {key: 'q', code: 'KeyQ'})); "
               "dispatchEvent(new Event('blur'))")
    assert chrome.run("calls.slice()")[-2:] == [["key", 81, 81, 0, 0], ["focus", 0]], "the key is released"
    assert chrome.run("LimberPage.isOfBrowser({key: 'v', ctrlKey: true})"), "so that text is pasted"
    assert not chrome.run("LimberPage.isOfBrowser({key: 's', ctrlKey: true})"), "Ctrl+S saves"


def test_touch(chrome, address):
    prepare(chrome, address)

    def touch(kind, *points):
        chrome.call("Input.dispatchTouchEvent", type=kind,
                    touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])
        chrome.wait(0.2)  # movements come with the next picture

    touch("touchStart", (300, 300))
    touch("touchMove", (320, 310))
    found = chrome.run("calls.splice(0)")
    assert ["button", 0, 1, 0] in found and found[-1] == ["cursor", 320, 310], found
    touch("touchStart", (320, 310), (420, 310))
    found = chrome.run("calls.splice(0)")
    assert found[-3:] == [["button", 0, 0, 0], ["cursor", 370, 310], ["button", 2, 1, 0]], found
    touch("touchMove", (300, 310), (440, 310))
    found = chrome.run("calls.splice(0)")
    assert any(call[0] == "scroll" and call[2] > 0 for call in found), found
    touch("touchEnd")
    found = chrome.run("calls.splice(0)")
    assert ["button", 2, 0, 0] in found, found
    assert chrome.run("LimberPage.touches.size") == 0


def test_without_webgl(chrome, address):
    chrome.call("Page.addScriptToEvaluateOnNewDocument",
                source="HTMLCanvasElement.prototype.getContext = () => null;")
    chrome.go(address)
    assert "WebGL 2, which this browser does not offer" in chrome.run("note.textContent")
    assert not chrome.faults, chrome.faults


def main():
    if not browser.find_chromium():
        print("SKIPPED: Chromium is not installed")
        return 77
    server = browser.Server(WEB)
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        chrome = browser.Chromium()
        try:
            test(chrome, server.address)
            print(f"{name}: passed", flush=True)
        except Exception as fault:  # each test is reported
            failed += 1
            print(f"{name}: FAILED: {type(fault).__name__}: {fault}", flush=True)
        finally:
            chrome.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
