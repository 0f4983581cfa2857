"""A run of the laptop with the field of docs/adding-a-player-field.md: the lines of that page go
into the declaration before anything imports it. Prints where the field is found.
"""

import importlib.util
import io
import json
import re
import sys
import tempfile
import textwrap
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "adding-a-player-field.md"
MODEL = "host_tools.tournament.model"
BEFORE = "    seed: Annotated["
FIELD = "club_colour"


def blocks(kind: str) -> list[str]:
    """The code blocks of the page, of one kind, as they go into a file."""
    found = re.findall(rf"^ +```{kind}\n(.*?)^ +```", PAGE.read_text("utf8"), re.S | re.M)
    return [textwrap.dedent(block) for block in found]


def declare() -> None:
    """Load the model with the lines of the page."""
    spec = importlib.util.find_spec(MODEL)
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).read_text("utf8")
    assert source.count(BEFORE) == 1
    (lines,) = blocks("python")
    source = source.replace(BEFORE, textwrap.indent(lines, "    ") + BEFORE)
    module = sys.modules[MODEL] = importlib.util.module_from_spec(spec)
    exec(compile(source, spec.origin, "exec"), module.__dict__)


def translate(folder: Path) -> None:
    """Put the texts of the page into the catalogues."""
    import host_tools.games  # noqa: F401 its catalogues are read with ours
    from host_tools.core.texts import TEXTS, read

    for lang, text in zip(("en", "de"), blocks("po"), strict=False):
        path = folder / f"{lang}.po"
        path.write_text(text, "utf8")
        TEXTS[lang].update(read(path)["desk"])  # type: ignore[attr-defined]


def main(folder: Path) -> dict[str, object]:
    """Where the field is found, and with what."""
    declare()
    translate(folder)

    import msgspec
    from click.testing import CliRunner
    from pypdf import PdfReader
    from starlette.testclient import TestClient

    from host_tools.cli import schiri
    from host_tools.print import make
    from host_tools.tournament import events as ev
    from host_tools.tournament.export import FORMATS
    from host_tools.tournament.model import Tournament
    from host_tools.tournament.service import TournamentService
    from host_tools.web.desk.app import make_app
    from tests.host.desk_web import Clock, Web, token, users

    db = str(folder / "day.db")

    def run(*words: str) -> str:
        done = CliRunner().invoke(schiri, ["tournament", *words, "--db", db])
        assert done.exit_code == 0, repr(done.exception)
        return done.stdout

    (folder / "in.csv").write_text("Name;Verein;Vereinsfarbe\nCarl;Bern;  dark   blue\n", "utf8")
    TournamentService.create(db, "Anna", ev.Created(name="Cup"), "cup").close()
    run("add", "Anna", "--club-colour", "green", "-t", "cup")
    run("edit", "Anna", "--club-colour", "red", "-t", "cup")
    run("import", str(folder / "in.csv"), "-t", "cup")
    found: dict[str, object] = {
        "command": json.loads(run("players", "--json", "-t", "cup"))[0][FIELD],
        "terminal": run("players", "-t", "cup", "--lang", "de"),
    }
    with closing(TournamentService.open(db, "cup")) as service:
        accounts = users(folder)
        app = make_app(service, accounts)
        with TestClient(app) as running:
            client = Web(app, running, accounts, Clock()).visitor("jury")
            new = {"name": "Berta", FIELD: "white", "csrf": token(client, "/desk/players")}
            client.post("/desk/do/add_player", data=new)
            found["list"] = client.get("/desk/players?lang=en").text
            found["page"] = client.get("/desk/player/p001?lang=en").text
        state = service.state
        found["entries"] = {p.name: getattr(p, FIELD) for p in state.players.values()}
        found["csv"] = FORMATS["players"](service, "en").decode("utf-8-sig").splitlines()
        data = FORMATS["json"](service, "en")
        found["json"] = [player[FIELD] for player in json.loads(data)["players"]]
        (badges,) = PdfReader(io.BytesIO(make("badges", state))).pages
        found["badge"] = badges.extract_text()
    (folder / "out.json").write_bytes(data)
    run("new", "Other", "--id", "other")
    run("import", str(folder / "out.json"), "-t", "other")
    found["import"] = [p[FIELD] for p in json.loads(run("players", "--json", "-t", "other"))]
    entrant = msgspec.json.schema(Tournament)["$defs"]["Entrant"]
    found["schema"] = entrant["properties"][FIELD]
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        print(json.dumps(main(Path(made))))
