"""`ruse learn`: the list of lessons, and a lesson in the terminal."""

from __future__ import annotations

import argparse
import sys
import textwrap

from ruse.play.lessons import Lesson, LessonError, LessonScreen, source, sources
from ruse.present.console import Progress, print_json
from ruse.present.screen import paint
from ruse.solving.pipeline import solve

WIDTH = 96  # columns of text
FORWARD, QUIT = "Enter goes on, q ends the lesson.", ("q", "quit")


def learn(given: argparse.Namespace) -> int:
    """List the lessons, or teach one."""
    if given.lesson is None:
        return _list(given.json)
    chosen = source(given.lesson)
    with Progress(sys.stderr, "solving the lesson's games"):
        lesson = Lesson(chosen, solve)
        if given.json:
            print_json(lesson.to_json())
            return 0
        screens, rules = lesson.screens, lesson.rules
    print(f"{chosen.title}\n{_folded(chosen.about)}\n\n{FORWARD}")
    for number, screen in enumerate(screens, 1):
        if not _teach(lesson, screen, f"{number}/{len(screens) + 1}"):
            return 0
    print(f"\n{len(screens) + 1}/{len(screens) + 1}  Rules to remember")
    for rule in rules:
        print(_folded(f"- {rule.text}: {rule.price_text}.", "  "))
    print(_folded(lesson.rules_note))
    print(f"\nPractise: {chosen.content['drill']}")
    return 0


def _list(as_json: bool) -> int:
    if as_json:
        print_json(
            {
                "lessons": [
                    {"name": lesson.name, "title": lesson.title, "about": lesson.about} for lesson in sources().values()
                ]
            }
        )
        return 0
    widest = max(map(len, sources()))
    for lesson in sources().values():
        print(f"{lesson.name:<{widest}}  {lesson.title}\n{'':<{widest}}  {lesson.about}")
    print("\nStart one: ruse learn LESSON. Each takes about ten minutes.")
    return 0


def _teach(lesson: Lesson, screen: LessonScreen, number: str) -> bool:
    """Show a screen and ask its question; return False if the person leaves."""
    print(f"\n{number}  {screen.heading}")
    for line in lesson.picture(screen).text():
        print(f"    {line}")
    for paragraph in screen.text:
        print(_folded(paragraph))
    why = _folded(f"Why: {screen.why}") if screen.why else ""
    if why and not screen.question:
        print(why)
    for draw in screen.draws:
        print(_folded(f"To choose at random: {draw.text()}"))
    if not screen.question:
        return _typed("> ") is not None
    print(f"\n{_folded(screen.question)}")
    for answer in screen.answers:
        print(f"  {answer.key}" + (f"  {answer.text}" if answer.text != answer.key else ""))
    while (typed := _typed("Your answer: ")) is not None:
        try:
            feedback = lesson.mark(screen, typed)
        except LessonError as error:
            print(paint(f"{error}", "bad", sys.stdout))
            continue
        print(paint(_folded(feedback.text), "good" if feedback.right else "bad", sys.stdout))
        if why:
            print(why)
        return True
    return False


def _typed(prompt: str) -> str | None:
    """What the person types; None at the end of the input, and for q."""
    try:
        typed = input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        print()
        return None
    return None if typed.lower() in QUIT else typed


def _folded(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=indent)
