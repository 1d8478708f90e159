"""Everything a change must pass. `nox` runs lint, types and tests; `nox -l` lists the rest."""

import nox

nox.options.sessions = ["lint", "types", "tests"]
nox.options.default_venv_backend = "venv"
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


@nox.session
def lint(session: nox.Session) -> None:
    """Style of the code, and the generated files are what their sources say."""
    session.install("-e", ".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("python", "-m", "kartatest.definition.schema", "--check")
    session.run("python", "-m", "kartatest.lint.docs", "--check")
    session.run("karta", "lint", "catalog/")


@nox.session
def types(session: nox.Session) -> None:
    """Strict types."""
    session.install("-e", ".[dev]")
    session.run("mypy")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The test suite; arguments go to pytest."""
    session.install("-e", ".[dev]")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def lab(session: nox.Session) -> None:
    """Cluster and live tests on real operators without Docker; `nox -s lab -- all` on every one that the lab has."""
    session.install("-e", ".[dev]")
    env = {"KARTA_BIN": session.bin, "KARTA_LAB_REQUIRED": "1"}
    session.run("bash", ".ci/lab", *session.posargs, external=True, env=env)


@nox.session
def kind(session: nox.Session) -> None:
    """Definitions on a cluster of kind, which needs Docker or podman."""
    session.install("-e", ".[dev,kind]")
    definitions = ("batch-job-v1", "jobset-x-k8s-io-jobset-v1alpha2")
    given = [word for name in definitions for word in ("--karta-def", f"catalog/{name}.yaml")]
    session.run("pytest", *given, "--karta-cluster", "kind", "-k", "cluster", *session.posargs)
    session.run("pytest", "-m", "cluster", "tests/cluster/test_kind.py")


@nox.session
def coverage(session: nox.Session) -> None:
    """Line coverage of kartatest/ by the tests, which must stay above 95 percent."""
    session.install("-e", ".[dev]")
    session.run("pytest", "-n", "auto", "--cov=kartatest", "--cov-report=term:skip-covered", "--cov-fail-under=95")


@nox.session
def docs(session: nox.Session) -> None:
    """Write the generated pages and schemas anew."""
    session.install("-e", ".[dev]")
    session.run("python", "-m", "kartatest.definition.schema")
    session.run("python", "-m", "kartatest.lint.docs")


@nox.session
def bench(session: nox.Session) -> None:
    """Ratios and throughputs; never fails on a clock."""
    session.install("-e", ".[dev]")
    for script in ("bench_jq.py", "bench_resolve.py", "bench_startup.py"):
        session.run("python", f"benchmarks/{script}")


@nox.session
def mutants(session: nox.Session) -> None:
    """Mutants of the parser and of the statuses, and which of them no test sees; see docs/design/mutants.md."""
    session.install("-e", ".[dev]", "mutmut>=3.8")
    session.run("mutmut", "run", *(session.posargs or ("--max-children", "2")))
    session.run("mutmut", "results")
