"""The notebooks of examples/notebooks run from top to bottom, and their objects show themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.ipynb")), ids=lambda file: file.stem)
def test_a_notebook_runs(file: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=200, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    shown = [out.data for out in outputs if out.output_type == "execute_result"]
    assert any("text/html" in data or "text/latex" in data for data in shown)


def test_there_are_three_without_stored_results() -> None:
    """Results are made by running them: none are kept, so that none can be out of date."""
    files = sorted(FOLDER.glob("*.ipynb"))
    assert len(files) >= 3
    for file in files:
        assert '"output_type"' not in file.read_text("utf-8")
