"""The modules of the page as one script, so that a visit asks for one file instead of seventy.

Each module becomes a function that is run when it is first needed and answers with what it exports. Only the forms
of import and export that the page uses are known; others are refused, as are modules that need each other in a circle.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping

IMPORT = re.compile(r'^import\s+(?P<what>[^"]+?)\s+from\s+"(?P<where>\.[^"]+)";$', re.M)
DYNAMIC = re.compile(r'(?<![.\w])import\((?:"(?P<where>\.[^"]+)"|(?P<name>\w+))\)')
EXPORT = re.compile(r"^export (?=(?:const|class|function|async function) (?P<name>\w+))", re.M)
DEFAULT = re.compile(r"^export default ", re.M)
AGAIN = re.compile(r"^export \{ ([\w, ]+) \};\n", re.M)
START = """// Written by tools/site: the modules of static/js in one file.
const ROOT = {root};
const made = new Map();
const meta = (name) => ({{ url: new URL(name, ROOT).href }});
const need = (name) => made.get(name) ?? made.set(name, modules[name]()).get(name);
const modules = {{
"""


def bundle(texts: Mapping[str, str], entry: str, root: str) -> str:
    """`texts`: module by its path; `entry` is run; `root` is an expression for the address the paths start from."""
    refuse_circles({name: needed(name, text) for name, text in texts.items()})
    refuse_unknown_names(texts)
    parts = [f"{json.dumps(name)}: async () => {{\n{wrapped(name, text)}}},\n" for name, text in texts.items()]
    return START.format(root=root) + "".join(parts) + f"}};\nawait need({json.dumps(entry)});\n"


def wrapped(name: str, text: str) -> str:
    """The body of a module as the body of a function."""
    names = exported(text)
    if DEFAULT.search(text):
        names.append("default: standard")
    text = IMPORT.sub(lambda match: imported(match["what"], located(name, match["where"])), text)
    text = DYNAMIC.sub(lambda m: f"need({json.dumps(located(name, m['where'])) if m['where'] else m['name']})", text)
    text = DEFAULT.sub("const standard = ", EXPORT.sub("", AGAIN.sub("", text)))
    text = text.replace("import.meta", f"meta({json.dumps(name)})")
    if left := re.search(r"^(import|export)\b.*", text, re.M):
        raise ValueError(f"{name}: the bundle does not know the form '{left[0]}'")
    return f"{text}\nreturn {{ {', '.join(names)} }};\n"


def exported(text: str) -> list[str]:
    """The names a module exports; of `export const a = 1, b = 2` the first alone."""
    names = [match["name"] for match in EXPORT.finditer(text)]
    return names + [each.strip() for match in AGAIN.finditer(text) for each in match[1].split(",")]


def imported(what: str, where: str) -> str:
    source = f"await need({json.dumps(where)})"
    if what.startswith("*"):
        return f"const {what.split()[-1]} = {source};"
    if what.startswith("{"):
        return f"const {what.replace(' as ', ': ')} = {source};"
    return f"const {{ default: {what} }} = {source};"


def located(name: str, where: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), where))


def needed(name: str, text: str) -> list[str]:
    return [located(name, match["where"]) for match in IMPORT.finditer(text)]


def refuse_circles(needs: Mapping[str, list[str]]) -> None:
    """A module that waits for itself would never start."""
    left = {name: set(others) for name, others in needs.items()}
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    if left:
        raise ValueError(f"these modules need each other in a circle: {', '.join(sorted(left))}")


def refuse_unknown_names(texts: Mapping[str, str]) -> None:
    """A name that a module does not export would be undefined, without a word."""
    for name, text in texts.items():
        for match in IMPORT.finditer(text):
            where = located(name, match["where"])
            asked = re.findall(r"(\w+)(?: as \w+)?", match["what"]) if match["what"].startswith("{") else []
            if missing := set(asked) - set(exported(texts[where])) if where in texts else set():
                raise ValueError(f"{name}: {where} does not export {', '.join(sorted(missing))}")
