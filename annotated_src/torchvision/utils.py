"""Retells one function of torchvision/utils.py, for it stands at the head of most others.

Left out: make_grid, save_image and what else draws.
"""

from typing import Any


def _log_api_usage_once(obj: Any) -> None:
    # Upstream passes the name of `obj` to a C++ logger, to which by default nobody listens. There is none here.
    return None
