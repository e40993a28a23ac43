"""What the study room adds to the first load of the page."""

from __future__ import annotations

import gzip

from tengen.web.bundle import bundle
from tengen.web.static_files import STATIC, page_modules


def test_the_study_room_adds_less_than_20_kb() -> None:
    """As it is sent: packed, in one script with the rest of the page, and one style sheet."""
    modules = page_modules("static")
    others = {name: text for name, text in modules.items() if "/study/" not in name}
    assert len(modules) - len(others) > 8
    whole, less = (len(gzip.compress(bundle(each, "static/js/main.js", "''").encode())) for each in (modules, others))
    style = len(gzip.compress((STATIC / "css" / "study.css").read_bytes()))
    assert 1_000 < whole - less + style <= 20_000
