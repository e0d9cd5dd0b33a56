# SPDX-License-Identifier: MIT
"""Lists the tests that were skipped, each with its reason, from the JUnit report of ctest.

Usage: list_skipped.py REPORT.xml
"""
import re
import sys
import xml.etree.ElementTree as xml


def reason_of(test):
    """The message of GTEST_SKIP() on the lines below "Skipped", the text after SKIPPED:, or else ctest's message."""
    text = test.findtext("system-out") or ""
    said = (re.search(r": Skipped\n(.*?)\n*(?=\[  SKIPPED \]|\Z)", text, re.DOTALL) or
            re.search(r"SKIPPED: (.*)", text))
    if said and said.group(1).strip():
        return " ".join(said.group(1).split())
    return test.find("skipped").get("message") or "no reason given"


def main(report):
    tests_by_reason = {}
    for test in xml.parse(report).getroot().iter("testcase"):
        if test.find("skipped") is not None:
            tests_by_reason.setdefault(reason_of(test), []).append(test.get("name"))
    count = sum(map(len, tests_by_reason.values()))
    print(f"\n{count} skipped{':' if count else ''}")
    for reason, tests in tests_by_reason.items():
        print(f"  {reason}")
        for test in tests:
            print(f"    {test}")


main(*sys.argv[1:])
