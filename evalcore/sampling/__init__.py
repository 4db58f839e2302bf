"""What samples do to entropies, measures and rankings: exact where possible, else by seeded simulation."""

from .claims import Claim, published_claims
from .distributions import geometric, two_level, uniform, weights, zipf
from .entropy_curves import WinnerMap, sample_sizes, simulated_table, support_table, winner_map
from .measure_sampling import MEASURES_SAMPLED, by_clusters, sample_scores, sampling_table
from .misranking import needed_sizes, ranking_errors
from .populations import Population

__all__ = [
    "Claim",
    "MEASURES_SAMPLED",
    "Population",
    "WinnerMap",
    "by_clusters",
    "geometric",
    "needed_sizes",
    "published_claims",
    "ranking_errors",
    "sample_scores",
    "sample_sizes",
    "sampling_table",
    "simulated_table",
    "support_table",
    "two_level",
    "uniform",
    "weights",
    "winner_map",
    "zipf",
]
