"""The walkthrough in a terminal: python -m annotated_src.walkthrough COMMAND ...

    run SCENARIO                   run a scenario and show what it returns
    tree SCENARIO                  record it and print the tree of its calls
    step SCENARIO --at FUNCTION    open the debugger at a function, by upstream's own name
    break NAME                     apply a named mutation to a scratch copy and show which tests turn red
    drift                          what upstream has changed since it was retold

SCENARIO is a name under book/scenarios or the path of a script with `def main(torch): ...`.
Exit status: 0 where all is well, 1 where the answer is no (not red, drifted, never called), 2 for a wrong command.
"""

import argparse
import contextlib
import fnmatch
import io
import sys

from annotated_src.walkthrough import scenario as scenarios


def main(arguments=None):
    """Read the command line, do what it says, return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return options.do(options)
    except scenarios.ScenarioError as error:
        return _complain(error)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output, such as head, has seen enough.
        sys.stderr.close()
        return 0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m annotated_src.walkthrough", description="PyTorch, step by step.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_run(commands)
    _add_tree(commands)
    _add_step(commands)
    _add_break(commands)
    _add_drift(commands)
    return parser


def _add_run(commands):
    run = commands.add_parser("run", help="run a scenario and show what it returns")
    run.add_argument("scenario", metavar="SCENARIO", help="a name under book/scenarios, or a path")
    _add_upstream(run)
    run.set_defaults(do=_run)


def _add_tree(commands):
    tree = commands.add_parser("tree", help="record a scenario and print the tree of its calls")
    tree.add_argument("scenario", metavar="SCENARIO", help="a name under book/scenarios, or a path")
    _add_into(tree)
    tree.add_argument("--depth", type=int, metavar="N", help="show N levels of calls")
    tree.add_argument("--only", metavar="GLOB", help="show calls of these functions or files, e.g. '*Sampler*'")
    tree.add_argument("--all", action="store_true", help="hide nothing: show each assignment that __setattr__ sees")
    _add_upstream(tree)
    tree.set_defaults(do=_tree)


def _add_step(commands):
    step = commands.add_parser("step", help="open the debugger at a function")
    step.add_argument("scenario", metavar="SCENARIO", help="a name under book/scenarios, or a path")
    step.add_argument("--at", metavar="FUNCTION", help="_next_index, DataLoader.__iter__ or path::name")
    _add_into(step)
    step.add_argument("--commands", metavar="FILE", help="type these commands, a line each, then quit")
    _add_upstream(step)
    step.set_defaults(do=_step)


def _add_break(commands):
    breaks = commands.add_parser("break", help="apply a named mutation and show what turns red")
    choice = breaks.add_mutually_exclusive_group(required=True)
    choice.add_argument("name", metavar="NAME", nargs="?", help="a name from --list")
    choice.add_argument("--list", action="store_true", help="list the mutations")
    choice.add_argument("--all", action="store_true", help="apply every one, one after the other")
    choice.add_argument("--matching", metavar="GLOB", help="apply those whose names fit, e.g. 'kernel-*'")
    breaks.add_argument("--verbose", action="store_true", help="name the tests that stay green, too")
    breaks.set_defaults(do=_break)


def _add_drift(commands):
    drift = commands.add_parser("drift", help="what upstream has changed since it was retold")
    drift.add_argument("--against", metavar="SITE", help="folder that holds torch/ (default: the installed one)")
    drift.add_argument("--pin", action="store_true", help="take that upstream as the pinned one")
    drift.set_defaults(do=_drift)


def _add_into(parser):
    parser.add_argument(
        "--into",
        choices=scenarios.LEVELS,
        default="ops",
        help="ops: an operator is one step; kernels: only the plumbing is skipped; all: nothing is",
    )


def _add_upstream(parser):
    parser.add_argument("--upstream", action="store_true", help="on the installed library instead of annotated_src's")


# -- the commands -----------------------------------------------------------------------------------------------------


def _run(options):
    result = scenarios.load(options.scenario).call(options.upstream)
    if result is not None:
        print(result)
    return 0


def _tree(options):
    trace = _calls(scenarios.load(options.scenario), options)
    tree = trace.tree(depth=options.depth, only=options.only, hide=() if options.all else "*.__setattr__")
    print(tree)
    if tree.legend():
        print("\n" + "\n".join(tree.legend()) + ("; --all shows them" if tree.hidden else ""))
    return 0 if trace.error is None else _end(trace.error)


def _calls(scenario, options):
    """The scenario's recording, calls only."""
    from annotated_src.walkthrough import record

    return record(
        scenario.main,
        *scenario.arguments(options.upstream),
        roots=scenario.roots(options.upstream),
        lines=False,
        locals=False,
        into=options.into,
        levels=scenario.levels,
    )


def _step(options):
    from annotated_src.walkthrough import debugger, transcript

    scenario = scenarios.load(options.scenario)
    typed = {}
    if options.commands:
        try:
            commands = transcript.read_commands(options.commands)
        except OSError:
            return _complain(f"--commands takes a file, a line each: no file {options.commands!r}")
        typed = {"stdin": transcript.Typist(commands, sys.stdout), "stdout": sys.stdout}
    try:
        session = debugger.Debugger(
            scenario.roots(options.upstream), at=options.at, into=options.into, levels=scenario.levels, **typed
        )
    except debugger.FunctionNotFound:
        return _complain(_no_such_function(scenario, options))
    libraries = scenario.arguments(options.upstream)
    try:
        session.runcall(scenario.main, *libraries)
    except Exception as error:
        return _end(error)
    if options.at and not session.arrived:
        print(f"{options.at} was never called in {scenario.name}")
        return 1
    return 0


def _no_such_function(scenario, options):
    """The message for a wrong --at: what is suggested is in the files that the scenario passes through."""
    from annotated_src.walkthrough import debugger

    with contextlib.redirect_stdout(io.StringIO()):
        trace = _calls(scenario, options)
    return debugger.not_found(options.at, [trace.file(path) for path in trace.files()])


def _break(options):
    from annotated_src.walkthrough import breaks

    try:
        if options.list:
            return _list_breaks(breaks.load())
        chosen = _chosen_breaks(breaks, options)
        outcomes = breaks.run_all(chosen)
    except breaks.BreakError as error:
        return _complain(error)
    print("\n\n".join(outcome.text(options.verbose) for outcome in outcomes))
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def _chosen_breaks(breaks, options):
    if options.name:
        return [breaks.get(options.name)]
    pattern = options.matching or "*"
    chosen = [one for name, one in breaks.load().items() if fnmatch.fnmatchcase(name, pattern)]
    if not chosen:
        raise breaks.BreakError(f"no break fits {pattern!r}; list them with --list")
    return chosen


def _list_breaks(mutations):
    for mutation in mutations.values():
        print(f"{mutation.name}\n    {mutation.file}\n    {mutation.shows}")
    print("\nApply one to a copy and run its tests: python -m annotated_src.walkthrough break NAME")
    return 0


def _drift(options):
    from annotated_src.walkthrough import drift

    try:
        if options.pin:
            count = drift.pin(options.against)
            print(f"pinned {count} functions and classes in {drift.DATA}")
            return 0
        found = drift.compare(options.against)
    except drift.DriftError as error:
        return _complain(error)
    print(found)
    return 1 if found else 0


def _end(error):
    print(f"the scenario ended with {type(error).__name__}: {error}")
    return 1


def _complain(error):
    print(f"walkthrough: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
