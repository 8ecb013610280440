"""Debian's Chromium, driven without a screen and without a network."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
AXE = ROOT / "browser" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
    *("--hide-scrollbars",),
)


class Browser:
    """One window; pages are opened from disk.

    Args:
        width: of the window.
        height: of the window.
    """

    def __init__(self, width: int = 1440, height: int = 900) -> None:
        binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
        if binary is None or driver is None:
            pytest.skip("there is no chromium with chromedriver here; apt-get install chromium chromium-driver")
        webdriver = pytest.importorskip("selenium.webdriver", reason="the browser is driven by selenium")
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for flag in (*FLAGS, f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        self.driver.set_script_timeout(280)

    def open(self, page: Path, fragment: str = "", dark: bool = False, ready: bool = True, still: bool = False) -> None:
        """Open a page; a living report says when it is ready; ``still`` asks for reduced motion."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        features += [{"name": "prefers-reduced-motion", "value": "reduce"}] if still else []
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        self.driver.get(page.as_uri() + fragment)
        assert not ready or self.run("return document.documentElement.dataset.ready") == "1", self.messages()

    def run(self, script: str, *arguments: Any) -> Any:
        """Return what a script returns."""
        return self.driver.execute_script(script, *arguments)

    def later(self, script: str, *arguments: Any) -> Any:
        """Return what a script hands to ``done``, once it does."""
        return self.driver.execute_async_script(f"const done = arguments[arguments.length - 1];\n{script}", *arguments)

    def processor_time(self, kind: str = "TaskDuration") -> float:
        """Return the processor time of the page's main thread [s]: all its tasks, or ``ScriptDuration``."""
        metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == kind)

    def messages(self) -> list[str]:
        """Return errors and warnings of the console since the last call."""
        found = self.driver.get_log("browser")
        return [entry["message"] for entry in found if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self) -> list[str]:
        """Return the addresses asked for since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("data:", "about:"))]

    def findings(self) -> list[str]:
        """Return the serious and critical findings of axe-core."""
        if not AXE.is_file():
            pytest.skip("axe-core is not installed; npm ci in the folder browser")
        self.run(AXE.read_text("utf-8"))
        found = self.later("axe.run(document).then((r) => done(r.violations), (e) => done(String(e)));")
        assert isinstance(found, list), found
        return [
            f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]

    def close(self) -> None:
        """Close the window."""
        self.driver.quit()
