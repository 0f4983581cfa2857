"""`schiri desk --behind-proxy`: whose address the log of logins names; `--certificate`: HTTPS."""

import re
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from desk_web import TOKEN

from host_tools.tournament import events as ev
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import login_log_path
from host_tools.web.desk.login import LoginLog
from tests.processes import started, wait

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "schiri-in-der-halle"
ADDRESS = re.compile(r"https?://\S+?:\d+")
VISITOR = "203.0.113.9"  # an address for documents, RFC 5737


@pytest.mark.parametrize(("option", "named"), [([], "127.0.0.1"), (["--behind-proxy"], VISITOR)])
def test_a_forwarded_address_is_believed_only_behind_a_proxy(
    tmp_path: Path, option: list[str], named: str
) -> None:
    users, db = tmp_path / "users.json", str(tmp_path / "day.db")
    Accounts(users).add("jury", "jury", PASSWORD)
    TournamentService.create(db, "desk", ev.Created(name="Cup", ko_size=2)).close()
    schiri = str(Path(sys.executable).with_name("schiri"))
    command = [schiri, "desk", "--db", db, "--users", str(users), "--port", "0"]
    said = tmp_path / "said.txt"
    with (
        said.open("wb") as out,
        started([*command, *option], stdout=out, stderr=out),
        httpx.Client(headers={"X-Forwarded-For": VISITOR}, trust_env=False) as client,
    ):
        wait(lambda: ADDRESS.search(said.read_text()) is not None)
        found = ADDRESS.search(said.read_text())
        assert found
        page = client.get(f"{found[0]}/desk/login").text
        token = TOKEN.search(page)
        assert token
        form = {"user": "jury", "password": "wrong password", "csrf": token[1]}
        client.post(f"{found[0]}/desk/login", data=form)
    book = LoginLog(login_log_path(users))
    assert [(entry["what"], entry["address"]) for entry in book.last(5)] == [("refused", named)]


def test_a_certificate_serves_by_https(tmp_path: Path, needs: Callable[[str], str]) -> None:
    """The words of docs/desk.md make one that a browser of the hall believes."""
    users, db = tmp_path / "users.json", str(tmp_path / "day.db")
    Accounts(users).add("jury", "jury", PASSWORD)
    TournamentService.create(db, "desk", ev.Created(name="Cup", ko_size=2)).close()
    schiri = str(Path(sys.executable).with_name("schiri"))
    options = ["--db", db, "--users", str(users), "--port", "0", "--certificate", "hall.pem"]
    command = [schiri, "desk", *options, "--key", "hall.key"]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert refused.returncode == 3
    assert "hall.pem" in refused.stderr
    told = (ROOT / "docs" / "desk.md").read_text(encoding="utf8")
    words = re.search(r"^openssl req .*?[^\\\\]\n", told, re.M | re.S)
    assert words
    made = words[0].replace("192.168.1.5", "127.0.0.1").replace("openssl", needs("openssl"), 1)
    subprocess.run(made, shell=True, cwd=tmp_path, check=True, capture_output=True)
    said = tmp_path / "said.txt"
    trust = ssl.create_default_context(cafile=tmp_path / "hall.pem")
    with said.open("wb") as out, started(command, stdout=out, stderr=out, cwd=tmp_path):
        wait(lambda: ADDRESS.search(said.read_text()) is not None)
        found = ADDRESS.search(said.read_text())
        assert found
        assert found[0].startswith("https://")
        with httpx.Client(verify=trust, trust_env=False) as client:
            assert client.get(f"{found[0]}/").status_code == 200
            page = client.get(f"{found[0]}/desk/login")
            assert "secure" in page.headers["set-cookie"].lower()
