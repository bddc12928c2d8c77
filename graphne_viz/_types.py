"""Names for types that several rooms use."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Foreign: TypeAlias = Any
"""What other libraries made: graphs, tables, tensors. They share no types; `graphne_viz.graphs` recognises them."""

Floats: TypeAlias = NDArray[np.float64]

PathLike: TypeAlias = str | os.PathLike[str]
