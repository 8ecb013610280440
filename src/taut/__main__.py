"""``python -m taut``: the command line."""

from taut.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
