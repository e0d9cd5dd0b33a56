#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/everywhere/page.py FOLDER [--pictures FOLDER]

Uses the page of scripts/web, in FOLDER, as a person does, in Chromium without a display: drags a hand until it is
reached, undoes, saves, reloads, opens files, presses keys, and sends a thousand random events. Exit code 77 says that
Chromium is not installed."""

import argparse
import glob
import json
import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import chromium as browser  # noqa: E402

CONTROL = 2
BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 0.3 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 0.4 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
0 1 0 0 0 0 0 0 0
0 1 0 0 0 0 10 0 0
"""


class Page:
    def __init__(self, chrome, address, pictures):
        self.chrome, self.address, self.pictures = chrome, address, pictures

    def open(self, query=""):
        self.chrome.go(self.address + query)
        self.ready()

    def reload(self):
        self.chrome.reload()
        self.ready()

    def ready(self):
        began = time.monotonic()
        self.chrome.wait_for(lambda: self.chrome.run("typeof isStarted !== 'undefined' && isStarted"), "not started",
                             120)
        self.settle()
        print(f"  started and at rest after {time.monotonic() - began:.1f} s")

    def ask(self, what="state", **more):
        answer = self.chrome.run(f"ask({json.dumps({'do': what, **more})})")
        assert "fault" not in answer, answer
        return answer

    def settle(self):
        """Waits until nothing is solved or opened, and gives it some frames before."""
        self.chrome.wait(0.4)
        return self.chrome.wait_for(lambda: (state := self.ask()) and not state["isBusy"] and state, "still busy")

    def frames(self):
        """Waits for two pictures, so that events are taken."""
        self.chrome.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def picture(self, name):
        if self.pictures:
            self.chrome.picture(os.path.join(self.pictures, name + ".png"))

    def no_faults(self):
        assert not self.chrome.faults, self.chrome.faults[:5]


def hand(state):
    """A site in sight, of a hand if there is one, and its name."""
    sites = {name: site for name, site in state["sites"].items() if "pixel" in site}
    assert sites, state["sites"]
    return max(sites.items(), key=lambda item: ("hand" in item[0].lower() or "wrist" in item[0].lower(), item[0]))


def test_drag_undo_and_redo(page):
    page.open()
    page.picture("start")
    before = page.settle()
    assert before["figure"], before
    name, site = hand(before)
    x, y = site["pixel"]
    page.chrome.drag((x, y), (x + 40, y - 60))
    after = page.settle()
    page.picture("dragged")
    assert after["outcome"] == "reached", (after.get("outcome"), after.get("sentence"))
    moved = [a - b for a, b in zip(after["sites"][name]["pixel"], site["pixel"])]
    assert abs(moved[0] - 40) < 12 and abs(moved[1] + 60) < 12, (name, moved)
    assert after["canUndo"] and after["isChanged"]
    page.chrome.key("z", "KeyZ", CONTROL, 90)
    undone = page.settle()
    assert undone["pose"] == before["pose"], "undo restores the pose"
    page.no_faults()


def test_saved_and_reopened(page):
    page.open("?example=carry_a_cup")
    page.picture("example")
    state = page.settle()
    assert state["file"].endswith("carry_a_cup.limber"), state["file"]
    # Saved into the user's folder, from which a reload reads it.
    page.chrome.run("FS.writeFile(kFiles + '/kept.limber', FS.readFile('/share/limber/scenes/carry_a_cup.limber'))")
    page.ask("open", path="/home/web_user/files/kept.limber")
    state = page.settle()
    assert state["file"].endswith("kept.limber"), state
    name, site = hand(state)
    page.ask("goal", goal={"type": "position", "site": name, "target": [c + 0.05 for c in site["place"]]})
    pose = page.settle()["pose"]
    page.chrome.key("s", "KeyS", CONTROL, 83)
    state = page.chrome.wait_for(lambda: (s := page.ask()) and not s["isChanged"] and s, "not saved")
    saved = page.chrome.run("Array.from(FS.readFile(kFiles + '/kept.limber')).join(',')")
    stored = page.chrome.wait_for(lambda: glob.glob(os.path.join(page.chrome.downloads, "kept*.limber")), "no download")
    with open(stored[0], "rb") as file:
        assert ",".join(str(byte) for byte in file.read()) == saved, "the download is what was saved"
    page.chrome.wait(3)  # until it is in the database
    page.reload()
    assert page.chrome.run("Array.from(FS.readFile(kFiles + '/kept.limber')).join(',')") == saved, "byte for byte"
    page.ask("open", path="/home/web_user/files/kept.limber")
    assert page.settle()["pose"] == pose, "the reopened pose"
    page.no_faults()


def test_settings_survive_a_reload(page):
    page.open()
    settings = "FS.analyzePath('/home/web_user/.config/limber/settings').exists && " \
               "FS.readFile('/home/web_user/.config/limber/settings', {encoding: 'utf8'})"
    page.chrome.wait_for(lambda: page.chrome.run(settings), "no settings are written", 20)
    theme = "dark" if "theme light" in page.chrome.run(settings) else "light"
    page.chrome.run(f"FS.writeFile('/home/web_user/.config/limber/settings', ({settings}).replace(/theme \\w+/, "
                    f"'theme {theme}')); store()")
    page.chrome.wait(2)
    page.reload()
    page.picture("other_theme")
    assert f"theme {theme}" in page.chrome.run(settings)
    page.no_faults()


def test_dropped_file(page):
    page.open()
    page.chrome.run("(() => { const data = new DataTransfer(); data.items.add(new File([" + json.dumps(BVH) +
                    "], 'two_bones.bvh')); dispatchEvent(new DragEvent('drop', {dataTransfer: data, "
                    "bubbles: true, cancelable: true})); })()")
    state = page.chrome.wait_for(lambda: (s := page.ask()) and s["file"].endswith("two_bones.bvh") and s,
                                 "the dropped file is not open")
    assert "Spine" in state["pose"], state["pose"]
    page.picture("dropped")
    page.no_faults()


def test_example_and_address_that_are_missing(page):
    page.open("?open=missing.bvh")
    assert "404" in page.chrome.run("note.textContent"), page.chrome.run("note.textContent")
    page.chrome.faults.clear()  # the browser reports the missing file
    page.open("?example=nonsense")
    assert "nonsense" in page.chrome.run("note.textContent")
    page.no_faults()


def test_random_events(page, count=1000, seed=11):
    page.open()
    page.no_faults()
    choice = random.Random(seed)
    keys = [("a", "KeyA", 65), ("s", "KeyS", 83), ("r", "KeyR", 82), (" ", "Space", 32), ("Escape", "Escape", 27),
            ("Tab", "Tab", 9), ("Delete", "Delete", 46), ("ArrowUp", "ArrowUp", 38), (".", "Period", 190),
            ("g", "KeyG", 71), ("F1", "F1", 112), ("z", "KeyZ", 90), ("p", "KeyP", 80), ("Enter", "Enter", 13)]
    buttons = {"left": 1, "right": 2, "middle": 4}
    held, x, y = None, 640, 400
    for i in range(count):
        kind = choice.random()
        if kind < 0.55:
            x, y = min(max(x + choice.gauss(0, 80), 1), 1278), min(max(y + choice.gauss(0, 60), 1), 798)
            page.chrome.mouse("mouseMoved", x, y, button=held or "none", buttons=buttons.get(held, 0))
        elif kind < 0.75:
            if held:
                page.chrome.mouse("mouseReleased", x, y, button=held)
                held = None
            else:
                held = choice.choice(list(buttons))
                page.chrome.mouse("mousePressed", x, y, button=held, buttons=buttons[held])
        elif kind < 0.85:
            page.chrome.mouse("mouseWheel", x, y, deltaX=0, deltaY=choice.choice([-100, 100]))
        else:
            name, code, number = choice.choice(keys)
            modifiers = choice.choice([0, 0, 0, CONTROL, 8]) if code not in ("KeyR", "Tab") else 0
            page.chrome.key(name, code, modifiers, number)
        if i % 10 == 0:
            page.frames()
    if held:
        page.chrome.mouse("mouseReleased", x, y, button=held)
    page.frames()
    page.picture("after_random_events")
    state = page.ask()
    assert "inside Limber" not in state["message"], state["message"]
    page.no_faults()


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder")
    arguments.add_argument("--pictures")
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    if not browser.find_chromium():
        print("SKIPPED: Chromium is not installed")
        return 77
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    server = browser.Server(options.folder)
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_") or options.only not in name:
            continue
        print(name, flush=True)
        chrome = browser.Chromium()
        page = Page(chrome, server.address, options.pictures)
        try:
            test(page)
        except Exception as fault:  # each test is reported
            failed += 1
            print(f"  FAILED: {type(fault).__name__}: {fault}", flush=True)
            try:
                page.picture(name + "_failed")
            except Exception:
                pass
        finally:
            chrome.close()
    print("all passed" if not failed else f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
