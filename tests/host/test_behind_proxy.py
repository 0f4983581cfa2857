"""`schiri desk --behind-proxy`: whose address the log of logins names."""

import re
import sys
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

PASSWORD = "schiri-im-saal"
ADDRESS = re.compile(r"http://\S+?:\d+")
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
