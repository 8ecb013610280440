"""The living report in Chromium: what it shows, computes and lets a reader do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taut
from oracle.robot_files import urdf_files
from report.browser import ROOT, Browser
from taut.api.descriptions import drawn_shapes
from taut.cli import main
from taut.report.living.write import living_report

pytestmark = pytest.mark.slow

SCREENSHOTS = ROOT / "build" / "screenshots"


FREE = "solo.urdf"
"""The robot whose base floats."""

ROBOTS = ("puma560", "scara", "palletiser", "four_bar", "panda.urdf", FREE)


def _path(name: str) -> str:
    """Return a robot of the library, or of example-robot-data with its meshes."""
    if not name.endswith(".urdf"):
        return name
    [file] = [file for file in urdf_files() if file.path.name == name and "example" in file.name]
    return str(file.path)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    window = Browser()
    yield window
    window.close()


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[taut.Robot, Path]]:
    folder = tmp_path_factory.mktemp("pages")

    @cache
    def written(name: str) -> tuple[taut.Robot, Path]:
        robot = taut.load(_path(name), base="free" if name == FREE else "fixed")
        file = folder / f"{name}.html"
        file.write_text(living_report(robot, shapes=drawn_shapes(_path(name))), "utf-8")
        return robot, file

    return written


@pytest.fixture(scope="module")
def puma(page_of: Callable[[str], tuple[taut.Robot, Path]]) -> Path:
    return page_of("puma560")[1]


@pytest.mark.parametrize("name", ROBOTS)
def test_a_page_opens_moves_and_computes(
    browser: Browser, page_of: Callable[[str], tuple[taut.Robot, Path]], name: str
) -> None:
    robot, file = page_of(name)
    assert file.stat().st_size < 2_000_000
    browser.messages(), browser.requests()
    browser.open(file)
    assert browser.requests() == [file.as_uri()]
    print(f"{robot.name}: ready after {browser.processor_time():.2f} s of processor time")
    before = browser.run("return taut.poses()")
    _slide(browser, 0)
    assert not np.allclose(before, browser.run("return taut.poses()"))
    assert browser.run("return document.querySelectorAll('#equations math').length") > 20
    assert bool(browser.run("return taut.data.meshes.length")) == name.endswith(".urdf")
    _numbers_are_pythons(browser, robot)
    _energy_stays(browser)
    _frames_are_quick(browser, robot.name)
    assert browser.messages() == []


def _slide(browser: Browser, joint: int) -> None:
    """Move a joint's slider by the keyboard."""
    slider = browser.driver.find_elements("css selector", ".sliders input")[joint]
    for _ in range(5):
        slider.send_keys("\ue014")  # arrow right


def _numbers_are_pythons(browser: Browser, robot: taut.Robot) -> None:
    if browser.run("return taut.data.unknown.length"):
        return  # rods of 1 kg move instead; Python has no numbers for this robot
    rng = np.random.default_rng(1)
    for q in robot.random_position(5, 2):
        qd, x = rng.uniform(-1, 1, (2, robot.nv))
        found: dict[str, list[float]] = browser.run(
            "const [q, qd, x] = arguments, f = taut.functions;"
            "return {M: [...f.mass_matrix(q)], g: [...f.gravity(q)], tau: [...f.inverse_dynamics(q, qd, x)],"
            " qdd: [...f.forward_dynamics(q, qd, x)], E: [...f.energy(q, qd)], J: [...f.jacobian(q)],"
            " poses: [...f.body_poses(q)]};",
            *(values.tolist() for values in (q, qd, x)),
        )
        expected = {
            "M": robot.mass_matrix(q),
            "g": robot.gravity(q),
            "tau": robot.inverse_dynamics(q, qd, x),
            "qdd": robot.forward_dynamics(q, qd, x),
            "E": robot.energy(q, qd),
            "J": robot.jacobian(q),
            "poses": [robot.forward_kinematics(q, joint.link.name)[:3] for joint in robot.tree.joints],
        }
        for name, value in expected.items():
            wanted = np.ravel(value)
            assert np.abs(np.array(found[name]) - wanted).max() <= 1e-9 * np.abs(wanted).max(), name


def _energy_stays(browser: Browser) -> None:
    found = browser.run(
        "taut.setPose(taut.data.skeleton.neutral); const s = taut.simulator; s.start('drop'); s.running = false;"
        "let worst = 0, last; while (s.motion.t < 10) { last = s.advance(0.05);"
        " worst = Math.max(worst, Math.abs(last.drift)); } return [worst, last.largest, last.t];"
    )
    worst, largest, t = found
    assert t >= 10
    assert worst <= 1e-4 * max(largest, 1e-9)


def _frames_are_quick(browser: Browser, name: str) -> None:
    """Print the script time of a frame with a slider moving; how long it is depends on the machine."""
    before = browser.processor_time("ScriptDuration")
    median, rate = browser.later(
        "taut.times.length = 0; let k = 0; const input = document.querySelector('.sliders input');"
        "const begun = performance.now(), step = () => { input.value = Math.sin(k / 20);"
        " input.dispatchEvent(new Event('input')); if (++k < 60) requestAnimationFrame(step); else {"
        " const t = [...taut.times].sort((a, b) => a - b);"
        " done([t[t.length >> 1], 1000 * k / (performance.now() - begun)]); } }; requestAnimationFrame(step);"
    )
    mean = 1000 * (browser.processor_time("ScriptDuration") - before) / 60
    print(f"{name}: {mean:.2f} ms of script a frame, median {median:.2f} ms by the clock, {rate:.0f} frames a second")
    assert mean > 0


def test_the_abbreviation_strikes_terms_and_tells_cost_and_error(browser: Browser, puma: Path) -> None:
    browser.open(puma)
    assert browser.run("return document.querySelectorAll('.dropped').length") == 0
    slider = browser.driver.find_element("id", "threshold")
    steps: list[dict[str, Any]] = browser.run("return taut.data.abbreviation.steps")
    for _ in range(6):
        slider.send_keys("\ue014")
    said = browser.driver.find_element("css selector", "#abbreviation .facts").text
    assert str(steps[6]["operations"]) in said
    assert browser.run("return document.querySelectorAll('.dropped').length") > 20
    found = taut.load("puma560").explicit(verify=False).abbreviate(steps[6]["threshold"])
    assert (found.operations, len(found.kept)) == (steps[6]["operations"], steps[6]["terms"])
    kept = browser.run(  # the terms of M22 that are not struck are those of the shorter model
        "return document.querySelectorAll('#eq-M22 .term[data-share]:not(.dropped)').length"
    )
    heads = browser.run(
        "return [...document.querySelectorAll('#eq-M22 .term:not(.dropped)')]"
        ".filter((e) => /^[+]?[^()]*\\($|^\\)$/.test(e.textContent)).length"
    )
    assert kept - heads == len(found.model.elements["M22"].terms)


def test_a_constant_is_found_by_mouse_and_by_keyboard(browser: Browser, puma: Path) -> None:
    browser.open(puma)
    browser.run("document.querySelector('#eq-M11 .known').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    card = browser.driver.find_element("css selector", ".about")
    assert card.text.startswith("K1") and "Used in" in card.text
    model = taut.load("puma560").explicit(verify=False)
    constants = browser.driver.find_element("css selector", ".constants")
    constants.send_keys("\ue014")
    assert card.text.startswith("K2")
    assert f"{model.constants['K2'].value:.6g}" in card.text
    constants.send_keys("\ue010")  # end of the list: one stop of the tabulator, arrows inside
    assert not card.text.startswith("K2")


def test_the_address_keeps_pose_and_choices(browser: Browser, puma: Path) -> None:
    browser.open(puma, "#q=0.1,0.2,0.3,0.4,0.5,0.6&step=6&theme=dark&section=abbreviation&code=gravity")
    assert browser.run("return taut.numbers().q") == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert browser.run("return document.documentElement.dataset.theme") == "dark"
    assert browser.run("return document.querySelectorAll('.dropped').length") > 20
    assert browser.run("return document.getElementById('code-function').value") == "gravity"
    kept = browser.run("taut.setPose([0, 0, 0, 0, 0, 0.25]); return taut.fragment()")
    assert "q=0,0,0,0,0,0.25" in kept and "step=6" in kept
    browser.open(puma, "#q=nonsense&step=99&section=nowhere")
    assert browser.messages() == []


def test_nothing_moves_by_itself_where_reduced_motion_is_asked_for(browser: Browser, puma: Path) -> None:
    browser.open(puma, still=True)
    browser.run("document.querySelector('[data-mode=drop]').click()")
    poses = [
        browser.later(
            "const wait = () => requestAnimationFrame(() => requestAnimationFrame(() => done(taut.poses())));"
            "requestAnimationFrame(wait);"
        )
        for _ in range(2)
    ]
    assert poses[0] == poses[1]
    assert "Nothing moves by itself" in browser.run("return document.getElementById('simulation').textContent")
    browser.run(
        "[...document.querySelectorAll('#simulation button')].find((b) => b.textContent === 'Step 0.1 s').click()"
    )
    assert browser.run("return taut.poses()") != poses[1]


def test_paper_shows_what_was_out_of_view(browser: Browser, puma: Path) -> None:
    browser.open(puma)
    cells = "return [...document.querySelectorAll('table.heat td')].slice(1).map((cell) => cell.textContent)"
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    assert all(browser.run(cells))
    assert browser.run("return document.querySelectorAll('#equations .row').length") > 80
    listed = browser.run("return [...document.querySelectorAll('.on-paper p')].map((e) => e.textContent)")
    model = taut.load("puma560").explicit(verify=False)
    assert len(listed) >= len(model.constants) + len(model.values)
    assert any(line.startswith("m2") and "17.4" in line for line in listed)


def test_everything_is_reached_by_the_keyboard_alone(browser: Browser, puma: Path) -> None:
    browser.open(puma)
    reached = set()
    body = browser.driver.find_element("tag name", "body")
    body.click()
    browser.run("document.activeElement.blur()")
    for _ in range(80):
        browser.driver.switch_to.active_element.send_keys("\ue004")
        reached.add(
            browser.run("const e = document.activeElement; return e.id || e.className || e.tagName + e.textContent")
        )
    wanted = {"joint-0", "joint-5", "layer-links", "values", "constants", "threshold", "ratio", "rate", "code-function"}
    assert wanted <= reached, wanted - reached
    assert "CANVAS" in reached
    modes = browser.run("return [...document.querySelectorAll('[data-mode]')].every((b) => b.tabIndex === 0)")
    assert modes


@pytest.mark.parametrize(
    ("theme", "size"), [("light", (1440, 900)), ("dark", (1440, 900)), ("light", (390, 840)), ("dark", (390, 840))]
)
def test_no_serious_finding_of_axe_and_a_screenshot(
    browser: Browser, puma: Path, theme: str, size: tuple[int, int]
) -> None:
    browser.driver.set_window_size(*size)
    try:
        browser.open(puma, "#q=0.4,-0.6,0.5,0.2,0.6,-0.3&step=5", dark=theme == "dark")
        browser.run("document.querySelector('#eq-M11 .known').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        assert browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        browser.driver.save_screenshot(str(SCREENSHOTS / f"puma560-{theme}-{size[0]}.png"))
        assert browser.findings() == []
    finally:
        browser.driver.set_window_size(1440, 900)


def test_loops_stay_closed_while_a_slider_moves(
    browser: Browser, page_of: Callable[[str], tuple[taut.Robot, Path]]
) -> None:
    robot, file = page_of("four_bar")
    browser.open(file)
    before = np.array(browser.run("return taut.numbers().q"))
    _slide(browser, 0)
    q = np.array(browser.run("return taut.numbers().q"))
    assert (np.abs(q - before) > 1e-4).all()
    assert np.abs(robot.closure_gap(q)).max() < 1e-9
    browser.run("taut.setPose(taut.numbers().q.map((x, k) => (k ? x : x + 9)))")  # far away, in small steps
    assert np.abs(robot.closure_gap(np.array(browser.run("return taut.numbers().q")))).max() < 1e-9


def test_a_platform_that_its_legs_determine_moves_by_them(
    browser: Browser, page_of: Callable[[str], tuple[taut.Robot, Path]]
) -> None:
    """The platform of a Stewart platform is free in the file, and its six legs say where it is."""
    robot, file = page_of("stewart")
    browser.open(file)
    legs = list(robot.joint_names)
    assert browser.run("return [...document.querySelectorAll('.heat tbody th')].map((e) => e.textContent)") == legs
    sliders = browser.run(
        "return [...document.querySelectorAll('.sliders input')].map((e) => [+e.min, +e.value, +e.max])"
    )
    assert all(low < x < high for low, x, high in sliders)
    worst, largest = browser.run(
        "const s = taut.simulator; s.start('drop'); s.running = false; let last, worst = 0;"
        "for (let k = 0; k < 10; ++k) { last = s.advance(0.02); worst = Math.max(worst, Math.abs(last.drift)); }"
        "return [worst, last.largest];"
    )
    assert worst <= 1e-6 * largest
    assert browser.messages() == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_report_of_a_command_has_no_serious_finding(browser: Browser, tmp_path: Path, theme: str) -> None:
    assert main(["show", "puma560", "--report", str(tmp_path / "robot.html")]) == 0
    browser.open(tmp_path / "robot.html", dark=theme == "dark", ready=False)
    assert browser.findings() == [] and browser.messages() == []
    browser.driver.save_screenshot(str(SCREENSHOTS / f"show-{theme}.png"))
