"""What DataLoader's iterators call, file by file.

Retells torch/utils/data/_utils/__init__.py.

fetch       indices -> samples
collate     samples -> batch
pin_memory  batch -> the same batch in page-locked memory
worker      what a worker process knows of itself

Left out: HAS_NUMPY (NumPy is always there). With the workers' chapter come IS_WINDOWS, MP_STATUS_CHECK_INTERVAL,
python_exit_status, _set_python_exit_flag and signal_handling: they watch over processes.
"""

from . import collate, fetch, pin_memory, worker

__all__ = ["collate", "fetch", "pin_memory", "worker"]
