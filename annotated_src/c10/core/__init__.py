"""Devices, dtypes, storage, the tensor object and the dispatch keys. Retells c10/core/."""
