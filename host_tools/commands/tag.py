"""`schiri tag read|erase`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypedDict

import click

from card_tags import codec, kinds, seal
from card_tags.errors import TagError
from card_tags.kinds import Tag
from host_tools.cards.decks import load_deck
from host_tools.cards.keys import load_keys
from host_tools.cards.links import link_in, options_in
from host_tools.commands.options import CommandReport, echo_line, reports
from host_tools.core.command_line import (
    DECK,
    PORT,
    Function,
    MakeOption,
    asked_language,
    confirmed,
    group,
    output_option,
    shared_option,
    takes,
    together,
)
from host_tools.core.errors import Exit, Sentence, UserError, in_words, reason_of
from host_tools.core.own_files import write_output
from host_tools.provision.chips import FIRST_USER_PAGE, PAGE_BYTES
from host_tools.provision.originality import is_genuine
from host_tools.provision.port import TagLost, TagPort, TagRefused, TwoTags, user_memory
from host_tools.provision.readers import READERS, open_reader
from host_tools.provision.writer import Unwritable, VerifyFailed, erase, identify

_SIGNED = {True: "tag_signed_true", False: "tag_signed_false", None: "tag_signed_none"}


def reader_options(option: MakeOption = click.option) -> Callable[[Function], Function]:
    """Of every command that reads a tag; `option`: what makes one."""
    return together(
        option(
            "--reader",
            type=click.Choice(list(READERS)),
            default="box",
            show_default=True,
            help="What reads and writes: a box, or a PN532 at a serial line.",
        ),
        option("--port", type=PORT, help="Serial device of box or reader. Default: the only one."),
    )


class ReadTag(TypedDict):
    chip: str
    uid: str
    genuine: bool | None  # null: the tag does not know READ_SIG
    holds: str
    link: str
    key: int | None
    wrong: str | None
    memory: str  # all pages that a user may write, in hex


READER = takes("reader", "port")


@group()
@reader_options(shared_option)
def tag() -> None:
    """Read or erase the tag on the reader."""


@tag.command("read")
@READER
@click.option("--deck", type=DECK, help="The deck that a card may be of, an id or a file.")
@output_option("Write its memory to this file too.")
@reports
def read_tag(
    reader: str, port: str | None, deck: str | None, output: Path | None
) -> CommandReport[ReadTag]:
    """Say what the tag is. Exit code 1 if it is none of ours or its seal is wrong.

    \b
    schiri tag read --port /dev/ttyACM0
    schiri tag read -o memory.bin
    """
    known = load_deck(deck) if deck else None
    with tag_on(reader, port) as (device, uid):
        chip = identify(device)
        signature = device.signature()
        genuine = None if signature is None else is_genuine(uid, signature)
        from host_tools.provision.batch import held  # loads every game

        holds = held(device, chip, known) or Sentence("tag_empty")
        data = device.read(FIRST_USER_PAGE, chip.user_bytes // PAGE_BYTES)
    key, wrong = _judge_seal(data, uid)
    link = _link(data)
    seen: ReadTag = {
        "chip": chip.name,
        "uid": uid.hex(),
        "genuine": genuine,
        "holds": holds,
        "link": link or "",
        "key": key,
        "wrong": wrong,
        "memory": data.hex(),
    }
    signed = Sentence(_SIGNED[genuine])
    lines = [Sentence("tag_is", name=chip.name, uid=uid.hex(), detail=signed)]
    lines.append(Sentence("tag_holds", detail=holds))
    lines += [Sentence("tag_link", url=link)] if link else []
    if wrong is None:
        lines.append(Sentence("tag_sealed", number=key))
    if output is not None:
        write_output(output, data)
        kept = {"path": output, "count": len(data), "page": FIRST_USER_PAGE}
        lines.append(Sentence("tag_dumped", **kept))
    error = None if wrong is None else UserError(f"tag_fault_{wrong}", Exit.CHECK)
    return CommandReport(seen, lines, error)


@tag.command("erase")
@READER
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase_tag(reader: str, port: str | None, yes: bool) -> None:
    """Make the tag an empty NDEF tag. A locked tag cannot be erased.

    schiri tag erase --port /dev/ttyACM0
    """
    with tag_on(reader, port) as (device, uid):
        chip = identify(device)
        from host_tools.provision.batch import held

        # half a record counts as empty, too: nothing is lost with it
        holds = held(device, chip) or Sentence("tag_empty")
        sure = Sentence("tag_erase_sure", uid=uid.hex(), detail=holds)
        lang = asked_language()
        if not yes and not confirmed(sure.said(lang), lang):
            # not 1: nothing was changed (docs/exit-codes.md)
            raise UserError("nothing_erased", Exit.INPUT)
        erase(device, chip)
        echo_line(Sentence("tag_erased", uid=uid.hex()))


@contextmanager
def tag_on(reader: str, port: str | None) -> Iterator[tuple[TagPort, bytes]]:
    """Wait for one tag; every trouble with it becomes one sentence."""
    device = open_reader(reader, port)
    try:
        uid = device.find()
        # said only if nothing lies there yet: else it would be out of date at once
        if uid is None:
            _say("tag_awaited")
        while uid is None:
            device.pause()
            uid = device.find()
        yield device, uid
    except TwoTags as error:
        raise UserError("two_tags", Exit.CHECK) from error
    except (TagLost, TagRefused, VerifyFailed, Unwritable) as error:
        raise UserError("not_done", Exit.CHECK, detail=reason_of(error)) from error
    finally:
        device.close()


def _say(key: str) -> None:
    """What is waited for, and how to stop."""
    click.echo(in_words(Sentence(key), asked_language()), err=True)


def read_badges(reader: str, port: str | None) -> Iterator[Tag]:
    """Every record that is laid on the reader, once until it is lifted; without end. What cannot
    be read is passed over: it is laid on again.
    """
    device = open_reader(reader, port)
    _say("badges_awaited")
    last: bytes | None = None
    try:
        while True:
            with suppress(TwoTags, TagLost, TagRefused):
                uid = device.find()
                # a badge that stays on the reader is found again at each look
                found = None if uid in (None, last) else _record(device)
                # None once it is lifted: the same badge counts again
                last = uid
                if found is not None:
                    device.signal(True)
                    yield found
            device.pause()
    finally:
        device.close()


def _record(device: TagPort) -> Tag | None:
    with suppress(TagError):
        return codec.decode(user_memory(device))
    return None


def _link(data: bytes) -> str:
    """What a phone opens; "" for nothing, or a tag that is none of ours."""
    with suppress(TagError):
        codec.decode(data)
        return link_in(data)
    return ""


def _judge_seal(data: bytes, uid: bytes) -> tuple[int | None, str | None]:
    """The number of the key whose seal fits, or the reason why the tag must not be trusted."""
    try:
        # house rules are a record of their own, with a seal of its own
        found, rules = codec.decode(data), options_in(data)
        if found.kind == kinds.SLIP:
            return None, "slip"
        for one in (found, rules):
            if one is not None:
                seal.verify(one, uid, load_keys().by_number())
    except TagError as error:
        return None, error.reason
    return found.key_id, None
