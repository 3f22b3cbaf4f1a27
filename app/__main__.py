"""`python -m app` serves; `python -m app --help` lists what else there is."""

from app.cli import main

main()
