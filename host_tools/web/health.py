"""`/healthz` and `/metrics` of hall and desk: what is alive, and how fresh it is
(docs/decisions/supervision-and-health.md).
"""

import hmac
import ipaddress
import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

import anyio.to_thread
import uvicorn
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from host_tools.core.supervisor import Supervisor
from host_tools.store.heard import SILENT_S, HeardBox

TOKEN_VARIABLE = "SCHIRI_METRICS_TOKEN"
AT_ONCE = 32
"""So many requests beside a hall; more are turned away."""
_FORWARDED = ("forwarded", "x-forwarded-for")
_KEPT_BACK = {"Cache-Control": "no-store"}


@dataclass(frozen=True)
class Value:
    """One number. `label`: (its name, what it says) if there are several of a kind; `grows`: it
    counts since the beginning.
    """

    name: str
    what: str
    value: float
    label: tuple[str, str] | None = None
    grows: bool = False


ValueSource = Callable[[], Iterable[Value]]
Troubles = Callable[[], list[str]]
"""What is not as it should be: `stale`, `connecting`; none if all is well."""


class HealthCollector(Collector):
    """`troubles` and `values` are asked at every request; the second may take a while."""

    def __init__(self, tasks: Supervisor, troubles: Troubles, values: ValueSource) -> None:
        self._tasks = tasks
        self._troubles = troubles
        self._values = values
        # registering must not collect, which would query the database
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def routes(self) -> list[BaseRoute]:
        # /healthz is open: load balancers need it, and it reveals nothing
        return [Route("/healthz", self._health), Route("/metrics", self._metrics)]

    async def _health(self, _request: Request) -> Response:
        """200 if all is well, else 503: for whoever restarts programs, or spreads load."""
        tasks = self._tasks.tasks.values()
        # stopped between two tries; a task that has finished is no trouble
        resting = [task.name for task in tasks if not (task.running or task.done)]
        troubles = [*self._troubles(), *(f"stopped: {name}" for name in resting)]
        data = {"ok": not troubles, "troubles": troubles}
        return JSONResponse(data, 503 if troubles else 200, headers=_KEPT_BACK)

    async def _metrics(self, request: Request) -> Response:
        if not may_read(request):
            return PlainTextResponse("", 403)
        text = await anyio.to_thread.run_sync(generate_latest, self._registry)  # asks the database
        return Response(text, media_type=CONTENT_TYPE_LATEST, headers=_KEPT_BACK)

    def describe(self) -> Iterable[Metric]:
        """Nothing is known before it is asked for."""
        return []

    def collect(self) -> Iterable[Metric]:
        """For `prometheus_client`."""
        families: dict[str, Metric] = {}
        for one in [*self._of_tasks(), *self._values()]:
            family = families.get(one.name)
            if family is None:
                kind = CounterMetricFamily if one.grows else GaugeMetricFamily
                labels = [one.label[0]] if one.label else []
                family = families[one.name] = kind(f"schiri_{one.name}", one.what, labels=labels)
            family.add_metric([one.label[1]] if one.label else [], one.value)  # type: ignore[attr-defined]
        return families.values()

    def _of_tasks(self) -> Iterator[Value]:
        for task in self._tasks.tasks.values():
            label = ("task", task.name)
            yield Value("task_up", "1 while this part runs", float(task.running), label)
            yield Value("task_faults", "So often it has stopped", task.restarts, label, grows=True)


def box_values(boxes: Iterable[HeardBox], now: datetime) -> Iterator[Value]:
    """How many boxes are heard, and how many are silent."""
    silent = [(now - box.heard).total_seconds() > SILENT_S for box in boxes]
    what = "Boxes on the air, and silent ones"
    yield Value("boxes", what, silent.count(False), ("state", "heard"))
    yield Value("boxes", what, silent.count(True), ("state", "silent"))


def refused_values(counts: Mapping[str, int]) -> Iterator[Value]:
    """How many messages were refused, by their reason (docs/hall.md)."""
    for reason, count in sorted(counts.items()):
        yield Value("refused", "Messages that were refused", count, ("reason", reason), grows=True)


def may_read(request: Request) -> bool:
    """True for a program on this machine, and for whoever has the token of `TOKEN_VARIABLE`. What
    a proxy hands on comes from this machine, too, but is not of it.
    """
    token = os.environ.get(TOKEN_VARIABLE, "")  # "": no token fits
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token and hmac.compare_digest(given.encode(), token.encode()):
        return True
    host = request.client.host if request.client else ""
    handed_on = any(name in request.headers for name in _FORWARDED)
    return _is_loopback(host) and not handed_on


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Beside(uvicorn.Server):
    """A server in a loop that has other work: signals are the program's."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_beside(health: HealthCollector, listening: socket.socket) -> None:
    """Serve until cancelled, in a program that serves nothing else."""
    app = Starlette(routes=health.routes())
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="none",
        lifespan="off",
        limit_concurrency=AT_ONCE,
    )
    await _Beside(config).serve(sockets=[listening])
