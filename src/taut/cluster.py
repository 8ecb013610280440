"""The Dask cluster that long computations are spread over: that of the current client, a named one, or one made here.

A scheduler elsewhere is named as for every program that uses Dask: ``DASK_SCHEDULER_ADDRESS=tcp://host:8786``. Without
a client and without a name, a cluster with one worker a processor is made on this machine and kept until the process
ends. What comes back does not depend on the cluster.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from taut.errors import InputError, refuse_unknown

ENGINES = LOCAL, DASK = "local", "dask"
"""Where long computations run."""


def refuse_engine(engine: str) -> None:
    """Raise an error where an engine is none of :data:`ENGINES`."""
    refuse_unknown("engine", engine, ENGINES, "--engine")


def cluster_client() -> Any:
    """Return a client of the cluster."""
    try:
        from dask.distributed import get_client
    except ImportError:
        raise InputError("the engine dask needs Dask", "--engine", "install taut[cluster]") from None
    try:
        return get_client()
    except ValueError:
        return _own()


@cache
def _own() -> Any:
    import dask
    from dask.distributed import Client, LocalCluster

    address = dask.config.get("scheduler-address", None)
    if address is None:
        return Client(LocalCluster(n_workers=os.cpu_count() or 1, threads_per_worker=1, dashboard_address=None))
    try:
        return Client(address)
    except OSError:
        advice = "start a scheduler there, or unset DASK_SCHEDULER_ADDRESS"
        raise InputError(f"no Dask scheduler answers at {address}", "--engine", advice) from None
