"""Scoreboards of systems: values and ranks by many columns, how the columns disagree, and how sure a
ranking is.
"""

from .board import Board, Column, WordScores, score_comparison
from .bootstrap import Doubt, bootstrap_instances, bootstrap_words
from .ranks import agreement, flips, headline, rank_changes, ranks
from .reprints import CORPORA, grammar_board, grammar_contradictions, wsi2010_board

__all__ = [
    "Board",
    "CORPORA",
    "Column",
    "Doubt",
    "WordScores",
    "agreement",
    "bootstrap_instances",
    "bootstrap_words",
    "flips",
    "grammar_board",
    "grammar_contradictions",
    "headline",
    "rank_changes",
    "ranks",
    "score_comparison",
    "wsi2010_board",
]
