"""Which torch this is. Retells torch/version.py.

The number is that of the upstream release which is retold; what follows the plus sign says that this is not it.
"""

__all__ = ["__version__", "debug", "cuda", "git_version", "hip", "rocm", "xpu"]

__version__ = "2.13.0+annotated"
debug = False
cuda = None
# The upstream commit.
git_version = "cf30153c4c131c8164ee7798e5022d810682e2cb"
hip = None
rocm = None
xpu = None
