"""`ruse completion`: completion of command lines for bash, zsh and fish.

The scripts ask ruse itself at every Tab, so they know every command, option and game of the installed version.
Completion never imports a user's own game.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ruse.present.console import print_json

BASH = """\
# Completion of ruse for bash. For this shell: eval "$(ruse completion bash)". For all:
#   ruse completion bash > ~/.local/share/bash-completion/completions/ruse
_ruse() {
    local word=${COMP_WORDS[COMP_CWORD]} line IFS=$'\\t'
    COMPREPLY=()
    while IFS= read -r line; do
        if [ "$line" = :files ]; then
            compopt -o filenames
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
        else
            COMPREPLY+=("${line%%$'\\t'*}")
        fi
    done < <("${COMP_WORDS[0]}" completion bash "--words=${COMP_WORDS[*]:1:COMP_CWORD}" 2> /dev/null)
}
complete -F _ruse ruse
"""
ZSH = """\
#compdef ruse
# Completion of ruse for zsh. For this shell: eval "$(ruse completion zsh)". For all, with a folder that is in $fpath:
#   ruse completion zsh > ~/.zfunc/_ruse
_ruse() {
    local line
    local -a found shown
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            _files
        else
            found+=("${line%%$'\\t'*}")
            shown+=("${line/$'\\t'/  -- }")
        fi
    done < <("${words[1]}" completion zsh "--words=${(pj:\\t:)words[2,CURRENT]}" 2> /dev/null)
    compadd -l -d shown -a found
}
if [ "${funcstack[1]}" = _ruse ]; then _ruse "$@"; else compdef _ruse ruse; fi
"""
FISH = """\
# Completion of ruse for fish. For this shell: ruse completion fish | source. For all:
#   ruse completion fish > ~/.config/fish/completions/ruse.fish
function __ruse_next
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    for line in ($before[1] completion fish "--words="(string join \\t -- $before[2..-1] "$word") 2> /dev/null)
        if test "$line" = :files
            __fish_complete_path "$word"
        else
            echo -- $line
        end
    end
end
complete -c ruse -f -a '(__ruse_next)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
FILES = ":files"  # a line that asks the shell to offer file names too


@dataclass
class Offer:
    """The words that may come next, with their meanings, and whether file names may come too."""

    words: dict[str, str] = field(default_factory=dict)
    files: bool = False

    def lines(self) -> Iterable[str]:
        """The lines that the scripts read."""
        for word, text in self.words.items():
            yield f"{word}\t{text}" if text else word
        if self.files:
            yield FILES


def _games() -> dict[str, str]:
    from ruse.core.registry import games, summary

    return {name: summary(name) for name in games()}


def _contests() -> dict[str, str]:
    from ruse.contests.arena import CONTESTS

    return dict.fromkeys(CONTESTS, "a contest")


def _solvers() -> dict[str, str]:
    from ruse import solvers

    return dict.fromkeys(solvers.names(), "")


def _lessons() -> dict[str, str]:
    from ruse.play.lessons import sources

    return {name: lesson.title for name, lesson in sources().items()}


# The values of an argument, by its name or by the words in capitals in its help.
BY_NAME: dict[str, Callable[[], dict[str, str]]] = {
    "solver": _solvers,
    "name": lambda: _games() | _contests(),
    "lesson": _lessons,
}
BY_WORD: dict[str, Callable[[], dict[str, str]]] = {"GAME": _games, "CONTEST": _contests, "TITLE": _games}


def offer(parser: argparse.ArgumentParser, words: Sequence[str]) -> Offer:
    """Complete the last of these words, which may be empty, given those before it."""
    *before, begun = words
    offered = _offer(parser, before, begun)
    return Offer({word: text for word, text in offered.words.items() if word.startswith(begun)}, offered.files)


def _offer(parser: argparse.ArgumentParser, before: Sequence[str], begun: str) -> Offer:
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    if not before:
        texts = {action.dest: action.help or "" for action in commands._choices_actions}
        return Offer(_options(parser, ()) if begun.startswith("-") else texts)
    command: argparse.ArgumentParser | None = commands.choices.get(before[0])
    if command is None or "--" in before:
        return Offer()
    waiting, given = _read(command, before[1:])
    if waiting is not None:
        return _values(waiting)
    if before[-1] in _parameters(command, before):
        return Offer()  # the value of a game's parameter
    if begun.startswith("-"):
        return Offer(_parameters(command, before) | _options(command, before))
    positional = [action for action in command._actions if not action.option_strings]
    for action in positional:
        if action.nargs in ("*", "+") or given == 0:
            return _values(action)
        given -= 1
    return Offer()


def _read(command: argparse.ArgumentParser, words: Sequence[str]) -> tuple[argparse.Action | None, int]:
    """The option whose value comes next, if any, and the number of positional arguments so far."""
    own = _parameters(command, ["", *words])
    given, left = 0, iter(words)
    for word in left:
        action = command._option_string_actions.get(word)
        if action is not None and action.nargs is None:
            if next(left, None) is None:
                return action, given
        elif word in own:
            next(left, None)
        elif not word.startswith("-"):
            given += 1
    return None, given


def _options(parser: argparse.ArgumentParser, before: Sequence[str]) -> dict[str, str]:
    """The long names of the options that are not on the line yet, with their help."""
    return {
        action.option_strings[-1]: action.help or ""
        for action in parser._actions
        if action.option_strings and not set(action.option_strings) & set(before)
    }


def _parameters(command: argparse.ArgumentParser, before: Sequence[str]) -> dict[str, str]:
    """The parameters of the game on the line, if it is one of ruse's."""
    if not command.get_default("takes_parameters"):
        return {}
    from ruse.core.registry import games, parameters_of

    game = next((word for word in before[1:] if word in games()), None)
    return {} if game is None else {f"--{parameter.name}": parameter.help for parameter in parameters_of(game)}


def _values(action: argparse.Action) -> Offer:
    """The possible values of an argument."""
    if action.choices is not None:
        return Offer(dict.fromkeys(map(str, action.choices), ""))
    metavars = re.findall(r"[A-Z]+", str(action.metavar or ""))
    values = Offer(files="FILE" in metavars or "GAME" in metavars or "STRATEGY" in metavars)
    for listed in [BY_NAME.get(action.dest), *(BY_WORD.get(word) for word in metavars)]:
        values.words |= {} if listed is None else listed()
    return values


def completion(given: argparse.Namespace) -> int:
    if given.words is None:
        script = SCRIPTS[given.shell]
        print_json({"shell": given.shell, "script": script}) if given.json else print(script, end="")
        return 0
    from ruse.cli.parser import parser

    offered = offer(parser(), given.words.split("\t"))
    if given.json:
        print_json({"words": offered.words, "files": offered.files})
    for line in () if given.json else offered.lines():
        print(line)
    return 0
