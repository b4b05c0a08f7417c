"""What a game may say of itself that is not so: methods for each capability, and helpers that are called like them."""

from __future__ import annotations

LIES: dict[str, tuple[str, ...]] = {
    "Open": ("def board(self, state): return self.turn(state)",),
    "Memoryless": (
        "def board(self, state): return self.turn(state)\n    def returns(self): return False",
        "def board(self, state): return state\n    def returns(self): return False\n    def graph(self): return 3",
        "def board(self, state): return state\n    def returns(self): return True\n"
        "    def check_countable(self, purpose): return None",
    ),
    "Ranged": (
        "def payoff_range(self): return Fraction(0), Fraction(0)",
        "def payoff_range(self): return Fraction(-99), Fraction(99)\n    def known_value(self): return Fraction(7)\n"
        '    def known_by(self): return "my formula"',
    ),
    "Adjustable": (
        'def canonical(self): return {"p": 0}',
        'def directions(self): return {"p": -1}',
        'def span(self): return {"p": "0..1"}',
    ),
    "Representatives": ("def representative_position(self, position, side): return self.title, str",),
    "Symmetric": (
        'def labels(self): return [("a", "b")]\n'
        "    def record(self, state, label, side): return 0\n"
        "    def relabel(self, state, names): return state\n"
        "    def rename(self, move, names): return move\n"
        "    def mark(self, move, label): return 0",
    ),
    "Bulk": ("def arrays(self): return self\n    def nodes(self): return 3",),
    "Public": (
        "def public(self): return self",
        "def public(self): return self\n    def bidding(self): return None",
    ),
    "ByClass": (
        "def representative_position(self, position, side): return self.title, str\n"
        "    def nodes(self, symmetry=False): return 3\n"
        "    def complete(self, tables): return tables",
    ),
    "Teamed": (
        "def orders(self, state): return {}\n"
        "    def played(self, state): return ()\n"
        "    def coordinated(self, state): return state",
    ),
}

SHOWN: tuple[str, ...] = (  # methods of a presentation, which decide no number
    'def hidden_from(self, state, side): return "the same"',
    'def openspiel_name(self): return "kuhn_poker"',
    'def model(self): return "a model"',
    'def explain_move(self, position, move): return "a gloss"',
    'def picture(self, knowledge, side, end): return ["a picture"]',
    'def setup(self): return "a setup"',
)

LOOKALIKES: tuple[str, ...] = (  # helpers of people who never heard of capabilities
    'def board(self, card="K"): return card',
    "def hidden(self): return 3",
    'def representative_position(self): return "results.txt"',
    'def file(self): return "results.txt"',
    "def nodes(self): return [1, 2]",
    "def arrays(self, size=3): return [0] * size",
    "def public(self): return True",
    "def labels(self): return []",
    "def record(self, text): return text",
    "def constant(self): return 5",
    "def payoff_range(self): return 3",
    "def canonical(self): return None",
    "def directions(self): return ()",
    "def known_value(self): return 9",
    "def formula(self): return None",
    "def content(self): return object()",
    "def orders(self): return None",
    "def sizes(self): return 4",
    "def model(self): return 4",
    "def graph(self): return None",
    "def returns(self): return True",
    "def span(self): return 3",
    "def gloss(self): return 3",
    "def outline(self): return 3",
    "def bidding(self): return 3",
    "def complete(self): return 3",
    'def picture(self): return "me.png"',
)
