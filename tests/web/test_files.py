"""Files and addresses: a game as GIF, names that say what they are, static files that browsers may keep."""

from __future__ import annotations

import io
import re

from PIL import Image

from tests.web.conftest import Server
from tests.web.pages import moves


def test_a_game_as_gif(server: Server) -> None:
    id = server.new_game(moves=moves("h8h9i8i9j8j9k8k9l8"), white="level:beginner")
    answer = server.http.get(f"/api/games/{id}/gif")
    assert answer.headers["content-type"] == "image/gif"
    name = re.search(r'filename="([^"]+)"', answer.headers["content-disposition"])
    assert name and re.fullmatch(r"\d{4}-\d\d-\d\d-human-beginner\.gif", name[1])
    picture = Image.open(io.BytesIO(answer.content))
    assert picture.n_frames == 10 and picture.size == (472, 472) and len(answer.content) < 300_000
    last = picture.convert("RGB")
    picture.seek(9)
    assert picture.info["duration"] > 1000, "the end is held"
    changed = picture.convert("RGB")
    h8 = (26 + 7 * 30, 26 + 7 * 30)
    assert last.getpixel(h8) != changed.getpixel(h8), "a stone came"
    assert server.http.get("/api/games/nobody/gif").status_code == 404


def test_files_say_what_they_are(server: Server) -> None:
    id = server.new_game(moves=moves("h8i9"), white="level:beginner")
    for format, ending in (("sgf", "sgf"), ("psq", "psq"), ("pos", "txt")):
        name = server.http.get(f"/api/games/{id}/record", params={"format": format}).json()["name"]
        assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d-human-beginner\.{ending}", name)


def test_static_files_are_kept_under_the_name_of_their_version(server: Server) -> None:
    page = server.http.get("/")
    assert page.headers["cache-control"] == "no-cache"
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
    assert len(addresses) == 3 and all(re.match(r"/static/v-[0-9a-f]{12}/", address) for address in addresses)
    kept = server.http.get(addresses[1])
    assert kept.status_code == 200 and "immutable" in kept.headers["cache-control"]
    assert kept.headers["content-encoding"] == "gzip" and kept.headers["content-type"].startswith("text/css")
    plain = server.http.get(addresses[1], headers={"accept-encoding": "identity"})
    assert plain.text == kept.text and "content-encoding" not in plain.headers
    asked = server.http.head(addresses[1])
    assert asked.status_code == 200 and asked.headers["content-length"] == kept.headers["content-length"]
    for other in (re.sub("v-[0-9a-f]{12}", "v-000000000000", addresses[1]), "/static/css/base.css"):
        found = server.http.get(other)
        assert found.status_code == 200 and found.headers["cache-control"] == "no-cache"
    assert server.http.get("/static/v-000000000000/../../app.py").status_code == 404


def test_refusals_have_codes(server: Server) -> None:
    def code(answer: object) -> str:
        return str(answer.json()["code"])  # type: ignore[attr-defined]

    http = server.http
    assert code(http.get("/api/games/nobody")) == "not-here" and code(http.get("/api/nothing")) == "not-here"
    assert code(http.post("/api/records", json={"text": "(;GM[1]"})) == "bad-record"
    assert code(http.post("/api/games", json={"settings": {"white": "nobody"}})) == "bad-player"
    assert code(http.post("/api/games", json={"settings": {"k": 99}})) == "bad-request"
    assert code(http.post("/api/runs", json={"experiment": "nothing"})) == "refused"
