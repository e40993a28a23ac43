"""The page's modules in one script."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tengen.web.bundle import bundle

MODULES = {
    "js/main.js": 'import { one, two as second } from "./parts/a.js";\nimport * as all from "./parts/a.js";\n'
    'import words from "./parts/b.js";\nconst { late } = await import("./parts/c.js");\n'
    "console.log(JSON.stringify([one, second(), Object.keys(all), words, late, import.meta.url]));\n",
    "js/parts/a.js": "export const one = 1;\nexport function two() { return 2; }\nconst three=3;\nexport { three };\n",
    "js/parts/b.js": "export default { hello: true };\n",
    "js/parts/c.js": 'import { one } from "./a.js";\nexport const late = one + 4;\n',
}


def test_modules_find_each_other(tmp_path: Path) -> None:
    (tmp_path / "app.mjs").write_text(bundle(MODULES, "js/main.js", '"https://example.org/x/"'), encoding="utf-8")
    done = subprocess.run(["node", str(tmp_path / "app.mjs")], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ('[1,2,["one","two","three"],{"hello":true},5,"https://example.org/x/js/main.js"]')


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ({"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}, "circle: a.js, b.js"),
        (
            {"a.js": 'import { b, c } from "./b.js";\n', "b.js": "export const b = 1, c = 2;\n"},
            "a.js: b.js does not export c",
        ),
        ({"a.js": "export let a = 1;\n"}, "does not know the form 'export let a = 1;'"),
    ],
)
def test_what_it_cannot_do_is_refused(modules: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bundle(modules, "a.js", "''")
