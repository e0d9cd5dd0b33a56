# SPDX-License-Identifier: MIT
"""Validates documents, examples and answers of the program against the JSON Schemas in resources/schemas.

Usage: schemas.py SOURCE LIMBER
"""
import glob
import json
import os
import re
import subprocess
import sys
import unittest

LIMBER, SOURCE = os.path.abspath(sys.argv.pop()), os.path.abspath(sys.argv.pop())
try:
    import jsonschema
except ImportError:
    print("SKIPPED: python3-jsonschema is not installed")
    sys.exit(0)


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


SCHEMAS = {name: json.loads(read("resources/schemas", name)) for name in sorted(os.listdir(
    os.path.join(SOURCE, "resources/schemas")))}


def validator(name, within=None):
    """The validator of a schema, or of one of its definitions."""
    schema = SCHEMAS[name + ".schema.json"]
    resolver = jsonschema.RefResolver(schema["$id"], schema, store=SCHEMAS)
    chosen = {"$ref": f"{schema['$id']}#/$defs/{within}"} if within else schema
    return jsonschema.Draft202012Validator(chosen, resolver=resolver)


def examples(pattern):
    """The indented pieces of JSON in the pages that begin with the pattern."""
    for page in [*glob.glob(os.path.join(SOURCE, "docs/*.md")), *glob.glob(os.path.join(SOURCE, "docs/goals/*.md"))]:
        with open(page, encoding="utf-8") as file:
            for block in re.findall(r"(?:^    .*\n|^\n)+", file.read(), re.MULTILINE):
                text = re.sub(r"^    ", "", block, flags=re.MULTILINE).strip()
                if re.match(pattern, text) and "..." not in text:
                    yield os.path.relpath(page, SOURCE), text


def keys_of(path, pattern):
    """The keys that a reader allows, from the words of a string in its source."""
    words = re.search(pattern, read(path), re.DOTALL).group(1)
    return set(" ".join(re.findall(r'"([^"]*)"', words)).split())


class Schemas(unittest.TestCase):
    def check(self, name, value, what, within=None):
        errors = [f"{what}: {list(error.absolute_path)}: {error.message[:300]}"
                  for error in validator(name, within).iter_errors(value)]
        self.assertEqual(errors, [])

    def test_schemas_are_valid_and_have_the_keys_of_the_readers(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft202012Validator.check_schema(schema)
        problem = SCHEMAS["problem.schema.json"]
        changeable = keys_of("src/limber/io/json/problem_json.h", r"kChangeableKeys =(.*?);")
        self.assertEqual(set(problem["properties"]), changeable | {"figure", "frame", "base"})
        goal = keys_of("src/limber/io/json/goal_json.cpp", r'allowOnly\(\s*("id type.*?)\);')
        self.assertEqual(set(problem["$defs"]["goal"]["properties"]), goal - {"id", "seen_in"})
        scene = keys_of("src/limber/io/json/scene_json.cpp", r'allowOnly\(\s*("format version.*?)\);')
        self.assertEqual(set(SCHEMAS["scene.schema.json"]["properties"]), scene)

    def test_problems_of_the_documents(self):
        problems = list(examples(r'\{\s*"figure"'))
        self.assertGreater(len(problems), 10)
        for page, text in problems:
            try:
                lines = [json.loads(text)]
            except ValueError:  # a batch
                lines = [json.loads(line) for line in text.splitlines()]
                lines[0].setdefault("goals", [])
                lines = [dict(line, figure=lines[0]["figure"]) for line in lines]
            for value in lines:
                self.check("problem", value, page)

    def test_scenes(self):
        scenes = glob.glob(os.path.join(SOURCE, "resources/scenes/*.limber"))
        self.assertGreater(len(scenes), 5)
        for scene in scenes:
            with open(scene, encoding="utf-8") as file:
                self.check("scene", json.load(file), scene)

    def test_answers(self):
        inputs = [text for page, text in examples(r'\{\s*"figure"') if page.startswith("docs/goals/")]
        inputs += ['{"figure": "humanoid", "goals": [{"site": "left_palm", "target": [0.3, 1.2, 0.4]}], "keeps_balance": true, '
                   '"pins": [{"link": "left_foot"}], "obstacles": [{"name": "floor", "shape": "plane"}]}']
        for text in inputs:
            done = subprocess.run([LIMBER, "solve", "-", "--derivatives"], input=text, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.check("answer", json.loads(done.stdout), text)

    def test_all_ways_of_arms(self):
        obstacle = {"name": "ball", "shape": "sphere", "radius": 0.1, "place": {"position": [0, 0.5, 0.2]}}
        for figure, target, fields in (("planar:2", [1, 1, 0], {"complete"}), ("arm", [0.2, 0.7, 0.3], {"curves"})):
            goal = {"type": "position", "target": target} if figure == "planar:2" else \
                {"type": "position_orientation", "site": "tool", "target": target, "target_frame": [0, 0, 0, 1]}
            text = json.dumps({"figure": figure, "goals": [goal], "obstacles": [obstacle], "avoids_itself": True})
            done = subprocess.run([LIMBER, "solve", "-", "--all", "--json"], input=text, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            answer = json.loads(done.stdout)
            self.check("ways", answer, figure)
            self.assertLessEqual(fields, set(answer))
            self.assertTrue(answer["ways"])

    def test_requests_and_answers_of_the_server(self):
        requests = [{"id": 0, "hello": 1}, {"id": "a", "open": "chain", "figure": "planar:4", "goals": [
            {"name": "tip", "target": [3, 1, 0]}]}, {"solve": "chain"}, {"solve": "chain", "goals": {
                "tip": {"target": [2, 2, 0]}, "other": None}, "search": True, "milliseconds": 5.5}, {"close": "chain"},
                    {"open": "pair", "figure": "planar:2", "goals": [{"target": [1, 1, 0]}]},
                    {"solve": "pair", "all": True, "clear": True, "windings": False}, {"close": "pair"}]
        for line in re.findall(r"'(\{.*?\})'", read("docs/serve.md")):
            requests.append(json.loads(line))
        text = "\n".join(map(json.dumps, requests + [{"solve": "nobody"}]))
        done = subprocess.run([LIMBER, "serve"], input=text, capture_output=True, text=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(answers), len(requests) + 1)
        for request in requests:
            self.check("protocol", request, request, "request")
        for answer in answers:
            self.check("protocol", answer, answer, "answer")
        self.assertIn("error", answers[-1])

    def test_mistakes_are_found(self):
        good = {"figure": "arm", "goals": [{"target": [0, 1, 0]}]}
        self.assertTrue(validator("problem").is_valid(good))
        for wrong in ({"figure": "arm"}, dict(good, gaols=[]), dict(good, posing="odd"),
                      {"figure": "arm", "goals": [{"target": [0, 1]}]}, {"figure": "arm", "goals": [{"type": "tether"}]}):
            self.assertFalse(validator("problem").is_valid(wrong), wrong)
        for wrong in ({"open": "x"}, {"open": "x", "figure": "arm", "close": "x"}, {"solve": "x", "figure": "arm"}):
            self.assertFalse(validator("protocol", "request").is_valid(wrong), wrong)


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # RefResolver is old; the one of Debian 12 has nothing else
