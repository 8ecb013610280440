"""The text of the living report: self-contained, escaped, of the sources that are committed."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

import taut
from taut.cli import main
from taut.report.living.write import living_report

ROOT = Path(__file__).parents[2]
HOSTILE = "</script><script>alert(1)</script><!--"


@pytest.fixture(scope="module")
def page() -> str:
    return living_report(taut.load("double_pendulum"))


def test_the_page_is_one_small_file_without_addresses(page: str) -> None:
    assert len(page.encode()) < 2_000_000
    outside = page.replace(page[page.index("<script>") : page.rindex("</script>")], "")
    assert not re.search(r"(src|href)\s*=\s*[\"'](?!#|data:)", outside)
    assert "default-src 'none'" in page


def test_names_of_a_robot_file_cannot_end_the_script(tmp_path: Path) -> None:
    file = tmp_path / "hostile.toml"
    file.write_text(
        f"name = {json.dumps(HOSTILE)}\n[[joint]]\nname = {json.dumps(HOSTILE)}\n[joint.link]\nmass = 1\n"
        "com = [0.5, 0, 0]\ninertia = [0.1, 0, 0.1, 0, 0, 0.1]\nabout = 'com'\n",
        "utf-8",
    )
    text = living_report(taut.load(file))
    assert text.count("</script") == 2
    assert "<script>alert" not in text
    data = re.search(r'id="taut-data">(.*?)</script>', text, re.S)
    assert data is not None and json.loads(data[1])["joints"] == [HOSTILE]


def test_the_bundle_is_made_from_the_sources_beside_it() -> None:
    sources = [*sorted((ROOT / "browser" / "page").glob("*.js")), ROOT / "browser" / "package-lock.json"]
    told = (ROOT / "src/taut/report/living/page.min.js").read_text("utf-8").partition("\n")[0]
    joined = b"".join(source.read_bytes() for source in sources)
    assert sha256(joined).hexdigest() in told, "run 'make page' and commit src/taut/report/living/page.min.js"


def test_a_robot_without_numbers_moves_as_rods_and_says_so(page: str) -> None:
    data = json.loads(re.search(r'id="taut-data">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    assert data["unknown"]
    assert all(body["mass"] == 1.0 for body in data["skeleton"]["bodies"])
    assert "m1" in data["code"][0]["c"]  # the C keeps the symbols as run-time parameters


def test_the_command_writes_once_and_replaces_only_when_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "page.html"
    given = ["report", "double_pendulum", "-o", str(target), "--effort", "none"]
    assert main(given) == 0
    assert "opens in a browser" in capsys.readouterr().out
    assert main(given) == 2
    assert "--force" in capsys.readouterr().err
    assert main([*given, "--force"]) == 0
