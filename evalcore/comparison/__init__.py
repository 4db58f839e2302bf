"""Systems to compare, whatever they come from: keys, a table of labels, matrices; their baselines; as
files.
"""

from .baselines import BASELINES, with_baselines
from .files import Batch, read_files
from .saved import from_json, to_json
from .sources import AS_PUBLISHED, KeyComparison, Policy, TableComparison, comparison_from_labels

__all__ = [
    "AS_PUBLISHED",
    "BASELINES",
    "Batch",
    "KeyComparison",
    "Policy",
    "TableComparison",
    "comparison_from_labels",
    "from_json",
    "read_files",
    "to_json",
    "with_baselines",
]
