"""Facts about graphs and programs."""

from taut.analysis.depth import depth as depth
from taut.analysis.opcount import Operations as Operations
from taut.analysis.opcount import count as count
