"""The pytest plugin: a definition's checks as test items.

This module is imported wherever karta is installed, so it stays light; the rest is imported when a definition is named.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from kartatest.cluster.model import Cluster
    from kartatest.definition.model import Definition
    from kartatest.pytest_plugin.state import State
    from kartatest.recording.model import Recording
    from kartatest.resolve.model import Tree

_STATE: pytest.StashKey[State] = pytest.StashKey()
_SUFFIXES = (".yaml", ".yml")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, all of which do nothing unless a definition is named."""
    group = parser.getgroup("karta", "definitions of Kubernetes workload types")
    group.addoption(
        "--karta-def", action="append", default=[], metavar="FILE", help="definition to check, or a folder; repeatable"
    )
    group.addoption(
        "--karta-fixtures",
        metavar="DIR",
        help="where recordings are [default: beside the definition, and the nearest fixtures/ upwards]",
    )
    group.addoption(
        "--karta-update", action="store_true", help="write goldens instead of comparing; not when CI is set"
    )
    group.addoption("--karta-prune", action="store_true", help="remove goldens whose recording is gone")
    group.addoption(
        "--karta-fail-under-coverage",
        type=float,
        metavar="PERCENT",
        help="fail when recordings reach less of the expressions and matchers of the definitions",
    )
    group.addoption(
        "--karta-cluster",
        choices=("kind", "kwok", "current", "fake", "none"),
        default="none",
        help="also check definitions against an API server: of kind (needs Docker or podman), of kwok (needs neither), "
        "or the one of the current context, in a namespace of its own [default: none]",
    )
    group.addoption(
        "--karta-live",
        action="store_true",
        help="with --karta-cluster kwok: also run the scenarios of definitions with real operators in the lab",
    )
    group.addoption(
        "--karta-crds",
        action="append",
        default=[],
        metavar="DIR",
        help="folder or file with the operators' CRDs, beside those that `karta crds sync` fetched; repeatable",
    )
    group.addoption(
        "--karta-apply-crds",
        action="store_true",
        help="with --karta-cluster current: add CRDs that the cluster lacks; those that are there are never replaced",
    )
    group.addoption(
        "--karta-keep-cluster", action="store_true", help="leave the cluster running when the tests are over"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Remember the definitions, and collect them beside what is collected anyway."""
    option = config.option
    if (option.karta_update or option.karta_prune) and os.environ.get("CI"):
        raise pytest.UsageError("goldens are not changed when CI is set; run this where you can read the diff")
    if option.karta_def:
        from kartatest.pytest_plugin import state

        config.stash[_STATE] = state.configured(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file that is named as a definition, or a definition that stands among the arguments."""
    if file_path.suffix not in _SUFFIXES:
        return None
    state = parent.config.stash.get(_STATE, None)
    if state is None and parent.session.isinitpath(file_path):
        from kartatest.pytest_plugin import state as states

        state = parent.config.stash[_STATE] = states.configured(parent.config)
    if state is None or not state.wants(file_path, named=parent.session.isinitpath(file_path)):
        return None
    from kartatest.pytest_plugin.items import DefinitionFile

    return DefinitionFile.from_parent(parent, path=file_path, state=state)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """After the last item, once and not in each worker: coverage and leftover goldens."""
    state = session.config.stash.get(_STATE, None)
    if state is None or hasattr(session.config, "workerinput"):
        return
    from kartatest.pytest_plugin import finish

    if not finish.finish(state, session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """What finishing had to say."""
    state = config.stash.get(_STATE, None)
    lines = list(state.summary) if state is not None else []
    if config.option.karta_cluster != "none":
        from kartatest.pytest_plugin import clusters

        lines += clusters.session(config).notes
    if lines:
        terminalreporter.section("karta")
        for line in lines:
            terminalreporter.line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist's workers use the cluster of the process that starts them."""
    if node.config.option.karta_cluster != "none":
        from kartatest.pytest_plugin import clusters

        node.workerinput["karta_cluster"] = clusters.session(node.config).shared()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """The cluster goes with the run, and the lab of scenarios."""
    if getattr(config.option, "karta_live", False):
        from kartatest.pytest_plugin import live

        live.end(config)
    if getattr(config.option, "karta_cluster", "none") != "none":
        from kartatest.pytest_plugin import clusters

        clusters.session(config).end()


@pytest.fixture(scope="session")
def karta_cluster(pytestconfig: pytest.Config) -> Cluster:
    """The cluster of --karta-cluster, one for the whole run: give what is made in it names of its own."""
    from kartatest.pytest_plugin import clusters

    session = clusters.session(pytestconfig)
    if not session.wanted:
        pytest.skip("no cluster was asked for; run with --karta-cluster kind, kwok or current")
    return session.cluster()


@pytest.fixture
def karta_definition(request: pytest.FixtureRequest) -> Callable[..., Definition]:
    """`karta_definition(what=None)`: a definition by file or catalog name; without it the one of --karta-def."""
    from kartatest.pytest_plugin import loading

    return loading.definitions(request.path.parent, request.config.rootpath, request.config.stash.get(_STATE, None))


@pytest.fixture
def karta_recording(request: pytest.FixtureRequest) -> Callable[[str | Path], Recording]:
    """`karta_recording(file)`: the one recording in a file."""
    from kartatest.pytest_plugin import loading

    return loading.recordings(request.path.parent, request.config.rootpath)


@pytest.fixture
def karta_resolve(karta_definition: Callable[..., Definition]) -> Callable[..., Tree]:
    """`karta_resolve(obj, definition=None, pods=(), owners=())`: the tree of an object, given as a dict."""
    from kartatest.pytest_plugin import loading

    return loading.resolver(karta_definition)
