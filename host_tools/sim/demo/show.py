"""The whole performance: tags, match, sync, slip."""

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from card_tags.seal import KEY_BYTES
from hardware.twin import session
from hardware.twin.errors import TwinError
from hardware.twin.session import TwinSession
from host_tools.box.board_files import put_into_storage
from host_tools.box.link import BoxLink
from host_tools.box.sync import BoxSync, summary
from host_tools.cards.keys import LeagueKey
from host_tools.cards.public_keys import fingerprint, practice_key
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.json_types import Json
from host_tools.core.own_files import temporary_folder
from host_tools.games import game_of
from host_tools.games.box_words import box_language, proper_name
from host_tools.games.loading import firmware_sources
from host_tools.games.table_view import TableView
from host_tools.provision.box_port import BoxPort
from host_tools.provision.port import user_memory
from host_tools.replay.wording import Teller
from host_tools.sim.demo.dry_run import SETTLED, dealt, worth_watching
from host_tools.sim.demo.plan import DemoPlan
from host_tools.sim.demo.screen import DemoScreen
from host_tools.sim.demo.stage import Stage
from host_tools.sim.demo.tags import TwinTags, blank, write_tags
from host_tools.sim.demo.usb import TwinPort
from host_tools.sim.tournament.simulated_boxes import ENROLLED_BY
from host_tools.store.database import all_or_nothing
from host_tools.store.showing import as_slip, as_table
from host_tools.store.store import Store
from host_tools.tournament.slips import (
    SENTENCES,
    SlipBook,
    beside_journal,
    check_slip,
    slip_fields,
    slip_lines,
)

MOST_ACTS = 1_500
_PROGRAMS = Path(__file__).resolve().parents[2]
_TWIN = Path(session.__file__).parent


class Show:
    """One demo; `run` tells everything on `console`."""

    def __init__(self, plan: DemoPlan, console: Console) -> None:
        self._plan = plan
        self._console = console
        self._header = plan.header()
        # no secret, and always the same: the same demo writes the same bytes
        self._key = LeagueKey("demo", bytes(range(KEY_BYTES)))

    def run(self) -> None:
        """All four acts; what they need but the database is gone afterwards. Raises UserError,
        also for a box that stopped.
        """
        try:
            with temporary_folder() as folder, all_or_nothing(self._plan.db) as store:
                self._acts(self._write_tags(folder), folder, store)
                store.close()
        except TwinError as error:
            raise UserError("box_stopped", Exit.SYSTEM, detail=str(error)) from error

    def _acts(self, tags: TwinTags, folder: Path, store: Store) -> None:
        flash = folder / "flash"
        if "board" in self._header:
            name = game_of(self._header).board_of(self._header["preset"])
            put_into_storage(str(name), self._header["board"], flash)
        sources = firmware_sources()
        with TwinSession(
            self._plan.engine,
            flash,
            # the birth mark of a journal comes from `chance`, everything else from the seed
            seed=self._plan.seed,
            chance=self._chance(sources),
            sources=sources,
        ) as box:
            stage = Stage(box, tags, self._dealt())
            self._title("demo_boots", engine=self._plan.engine)
            stage.power_on()
            # first_id: the same demo sends the same bytes
            link = BoxLink(TwinPort(box), Sentence("twin_port"), first_id=1)
            self._prepare(link)
            self._enrol(stage, link, store)
            self._title("demo_match")
            self._play(stage)
            stage.wait_for_seal(link)
            self._title("demo_fetches")
            self._collect(link, store)
            if self._plan.slip:
                self._title("demo_reads_slip")
                self._hand_in(stage, link, folder, store)

    def _chance(self, sources: Path) -> Random:
        """The same for the same demo by the same programs only: a second run finds its match in
        the database, and another one is never taken for it (docs/decisions/journal.md).
        """
        plan = self._plan
        what = (self._header, plan.engine, plan.lang, plan.seed, plan.slip)
        digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode())
        # twin and laptop take part: after an update the same birth mark would be contested
        for folder in (sources / "firmware", sources / "card_tags", _TWIN, _PROGRAMS):
            for path in sorted(folder.rglob("*.py")):
                digest.update(path.read_bytes())
        return Random(digest.digest())

    # -- act one -------------------------------------------------------------------------------

    def _write_tags(self, folder: Path) -> TwinTags:
        everything = self._plan.tags()
        self._title("demo_writes", count=len(everything.items), title=everything.title)
        columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=self._console) as progress:
            task = progress.add_task("", total=len(everything.items))

            def tell(number: int, count: int, name: str) -> None:
                progress.update(task, completed=number, description=name)

            return write_tags(everything, self._key, folder / "tags.jsonl", tell)

    # -- act two -------------------------------------------------------------------------------

    def _prepare(self, link: BoxLink) -> None:
        """The organiser gives the box its language and its keys, over the USB line."""
        hello = link.hello()
        lang = box_language(self._plan.lang)
        link.request("settings", set={"language": lang, "name": "Demo"})
        link.request("key", key=self._key.secret.hex())
        self._say("demo_ready", box=hello["box"], firmware=hello["firmware"])

    def _enrol(self, stage: Stage, link: BoxLink, store: Store) -> None:
        """As `schiri box enrol`, with the desk's key of practice."""
        box, public = link.hello()["box"], stage.key_of_box(link)
        desk = practice_key()
        link.request("key_enrol", desk=desk.public.hex(), name=desk.name)
        store.enrolled.enrol(box, public, ENROLLED_BY)
        self._say("demo_enrolled", fingerprint=fingerprint(public))
        stage.press("ok")  # somebody has compared it with the box's screen

    # -- act three -----------------------------------------------------------------------------

    def _play(self, stage: Stage) -> None:
        header = self._named()
        teller = Teller(header, self._plan.lang)
        with DemoScreen(self._console, self._plan.pictures) as screen:
            stage.box.on_screen(screen.picture)
            stage.open_match(self._header, [f"p{n + 1}" for n in range(self._plan.game.seats)])
            self._perform(stage, teller, screen)
            if self._plan.slip:
                stage.tags["slip"] = blank("slip", len(stage.tags) + 1)
                stage.hand_out_slip(stage.tags["slip"])
                stage.leave()
            stage.sign_off()

    def _named(self) -> Json:
        return {**self._header, "names": self._plan.names}

    def _dealt(self) -> TableView:
        """A table with a deal that is worth watching."""
        plan = self._plan
        if plan.robots:
            strengths = [plan.robots] * plan.game.seats
            return dealt(self._named(), plan.seed, plan.lang, True, strengths)
        seed = worth_watching(self._header, plan.seed, plan.game.highlights)
        return dealt(self._named(), seed, plan.lang)

    def _perform(self, stage: Stage, teller: Teller, screen: DemoScreen) -> None:
        for _ in range(MOST_ACTS):
            if stage.table.match.awaits().what in SETTLED:
                return
            for command, answer in stage.perform(stage.table.act()):
                screen.verdict(teller.answer(command, answer))
        raise UserError("demo_endless", Exit.SYSTEM)

    # -- act four ------------------------------------------------------------------------------

    def _collect(self, link: BoxLink, store: Store) -> None:
        job = BoxSync(link, store, lambda number, done, size: None)
        greeting = job.greet()
        self._say("demo_box", box=greeting.box, name=greeting.name)
        outcomes = list(job.matches())
        for outcome in outcomes:
            self._console.print(summary(outcome, self._plan.lang))
        if outcomes and not any(outcome.new for outcome in outcomes):
            self._say("demo_nothing_new")
        stored = store.match(outcomes[-1].match_id) if outcomes else None
        if stored is not None:
            self._console.print()
            self._console.print(as_slip(stored, self._plan.lang), highlight=False)
            self._console.print()
        self._console.print(as_table(store.matches(), self._plan.lang))

    # -- act five ------------------------------------------------------------------------------

    def _hand_in(self, stage: Stage, link: BoxLink, folder: Path, store: Store) -> None:
        """`schiri slip`, through the box."""
        port = BoxPort(link, lambda seconds: stage.box.run_for(int(1000 * seconds)))
        stage.box.field.place(stage.tags["slip"])
        while (uid := port.find()) is None:
            port.pause()
        book = folder / "slips.jsonl"
        boxes = store.enrolled.all().keys
        slip = check_slip(user_memory(port), uid, SlipBook(book), boxes)
        lang = self._plan.lang
        outcome, _ = beside_journal(slip_fields(slip, uid), store, lang)
        game = proper_name(slip.game, None, lang)
        self._console.print("\n".join(slip_lines(slip, game, lang)))
        self._say("demo_signature", what=SENTENCES[outcome])

    def _title(self, key: str, **values: Any) -> None:
        self._console.print(f"\n[bold]{Sentence(key, **values).said(self._plan.lang)}[/]")

    def _say(self, key: str, **values: Any) -> None:
        self._console.print(Sentence(key, **values).said(self._plan.lang))
