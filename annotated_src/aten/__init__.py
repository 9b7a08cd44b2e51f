"""aten: the operators. A schema says what an operator takes, the dispatcher who handles a call, a kernel does it.

Retells aten/src/ATen/. Importing this package registers every operator with its kernels.

    core/function_schema.py       what an operator takes and returns
    core/dispatch/dispatcher.py   one table for each operator: dispatch key -> kernel
    ops.py                        the operators as Python callables
    native/                       the kernels, and native_functions.py, the list of them
"""

from annotated_src.aten.native import native_functions

native_functions.register_all()
