"""What a game may say of itself that is not so: a method for each capability, and helpers that are called like them."""

from __future__ import annotations

LIES: dict[str, str] = {
    "Open": "def board(self, state): return self.turn(state)",
    "Memoryless": "def board(self, state): return self.turn(state)\n    def returns(self): return False",
    "Ranged": "def payoff_range(self): return Fraction(0), Fraction(0)",
    "Known": "def known_value(self): return Fraction(7)",
    "Foretold": 'def formula(self): return Fraction(7), "my formula"',
    "Canonical": 'def canonical(self): return {"p": 0}',
    "Monotone": 'def directions(self): return {"p": -1}',
    "Spanned": 'def span(self): return {"p": "0..1"}',
    "Hidden": 'def hidden(self, state, side): return "the same"',
    "Filed": "def file(self, position, side): return self.title, str",
    "Built": "def content(self): return None",
    "Countable": "def check_countable(self, purpose): return None",
    "Mirrored": 'def openspiel(self): return "kuhn_poker"',
    "Modelled": 'def model(self): return "a model"',
    "Glossed": 'def gloss(self, position, move): return "a gloss"',
    "Symmetric": (
        'def labels(self): return [("a", "b")]\n'
        "    def record(self, state, label, side): return 0\n"
        "    def relabel(self, state, names): return state\n"
        "    def rename(self, move, names): return move\n"
        "    def mark(self, move, label): return 0"
    ),
    "Bulk": "def arrays(self): return self\n    def nodes(self): return 3",
    "Public": "def public(self): return self",
    "ByClass": (
        "def file(self, position, side): return self.title, str\n"
        "    def nodes(self, symmetry=False): return 3\n"
        "    def complete(self, tables): return tables"
    ),
    "RisingBids": "def bidding(self): return None",
    "Graphed": (
        "def board(self, state): return state\n    def returns(self): return False\n    def graph(self): return None"
    ),
    "Teamed": (
        "def orders(self, state): return {}\n"
        "    def played(self, state): return ()\n"
        "    def coordinated(self, state): return state"
    ),
    "Sized": "def sizes(self): return None",
    "Pictured": 'def picture(self, knowledge, side): return ["a picture"]',
}

HARMLESS = ("Hidden", "Built", "Countable", "Mirrored", "Modelled", "Glossed", "Spanned")  # which decide no number

LOOKALIKES: tuple[str, ...] = (  # helpers of people who never heard of capabilities
    'def board(self, card="K"): return card',
    "def hidden(self): return 3",
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
)
