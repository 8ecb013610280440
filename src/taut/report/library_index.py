"""The index of taut's library, so that ``taut list`` need not load every robot.

``python -m taut.report.library_index`` writes it.
"""

from __future__ import annotations

import json
from typing import Any

from taut import library
from taut.api import load
from taut.report.stand_in import unvalued


def entries() -> list[dict[str, Any]]:
    """Return the entry of every robot in the index, from the robot files."""
    found = []
    for name in library.names():
        tree = load(name).tree
        found.append(
            {
                "name": name,
                "dof": tree.dof,
                "joints": "".join(joint.motion.kind[0].upper() for joint in tree.joints),
                "symbols": unvalued(tree),
                "source": tree.source,
            }
        )
    return found


def index_text() -> str:
    """Return the text of the index file."""
    return json.dumps(entries(), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the index file."""
    file = library.FOLDER / library.INDEX
    file.write_text(index_text(), encoding="utf-8")
    print(f"wrote {file}")


if __name__ == "__main__":
    main()
