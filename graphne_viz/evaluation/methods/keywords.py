"""Options that our own methods have when they are compared: what a layout or an embedding depends on."""

from typing import TYPE_CHECKING, Annotated, TypedDict

from graphne_viz._keywords import keywords_of
from graphne_viz.embedding.keywords import Preset, SettingsKeywords
from graphne_viz.layout.keywords import OptimizerKeywords, TaskKeywords

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_SETTINGS = keywords_of(SettingsKeywords)


class LayoutOptions(OptimizerKeywords, total=False):
    """Of the method "graphne" in two dimensions."""

    initialization: Annotated["str | ArrayLike", keywords_of(TaskKeywords)["initialization"]]


class LearnedTemperatureOptions(TypedDict, total=False):
    """Of the method "graphne-tau"."""

    epochs: Annotated[int | None, _SETTINGS["epochs"]]
    initialization: Annotated["str | ArrayLike", _SETTINGS["initialization"]]
    preset: Annotated[Preset, _SETTINGS["preset"]]


class EmbeddingOptions(LearnedTemperatureOptions, total=False):
    """Of the method "graphne" in many dimensions."""

    temperature: Annotated[float | None, _SETTINGS["temperature"]]
