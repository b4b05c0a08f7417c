"""From typing a change of a five-player table to its exact value on the page, in a real browser.

    python -m benchmarks.studio [--rounds 20]

needs chromium and the packages of the tests. The page waits 0.12 s for the next key before it asks.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from serving import serving  # of the tests


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    chromium = next(
        found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))
    )
    dice = Random(1)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), patient=False) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(base_url=server.address)
        page.goto("/studio")
        spent = []
        for _ in range(rounds):
            table = [dice.randint(2, 3) for _ in range(5)]
            for number, size in enumerate(table[:4], 1):
                page.get_by_label(f"missions {number}").fill(str(size))
            page.wait_for_timeout(700)
            last = page.get_by_label("missions 5")
            size = 5 - int(last.input_value()) if last.input_value() in "23" else 2
            begun = perf_counter()
            last.fill(str(size))
            sizes = "%2C".join(map(str, [*table[:4], size]))
            while f"p-missions={sizes}&" not in page.url:
                page.wait_for_timeout(5)
            spent.append(perf_counter() - begun)
        browser.close()
    print(f"seconds from typing to the exact value: median {statistics.median(spent):.2f}, most {max(spent):.2f}")


if __name__ == "__main__":
    main()
