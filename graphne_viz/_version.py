"""Versions of this package and of others, as they are installed."""

from importlib.metadata import PackageNotFoundError, version


def package_version(package: str = "graphne-viz") -> str:
    """Return the version of a package, by default of this one."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


__version__ = package_version()
