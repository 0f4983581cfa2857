"""The commands that change a tournament, made from the table of operations: a field is an option
or an argument, the help is what the table says.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import click

from host_tools.commands.options import CommandReport, prints
from host_tools.commands.tournament.common import CommandContext, LogEntries, writes
from host_tools.core.command_line import BOX, DECK, SharingCommand, never_with
from host_tools.core.errors import UserError
from host_tools.core.helps import paragraphs
from host_tools.tournament.fields import FLAG, Field, Whole
from host_tools.tournament.operations import OPERATIONS, OperationRow

OptionValues = Mapping[str, Any]
"""Name of a parameter -> what was typed; only what was."""
CARDS = ("cards_a", "cards_b")
GO_ON = object()


Hook = Callable[..., object]
"""What a command does beside its operation: shows something if nothing was given, takes what other
options say. Gets the desk, what was given and its own options; returns a CommandReport, None if
all is done, or GO_ON.
"""


def shows(look: Callable[[CommandContext], CommandReport[Any]]) -> Hook:
    """A hook that shows something if nothing was given."""

    @functools.wraps(look)
    def hook(desk: CommandContext, given: OptionValues) -> object:
        return GO_ON if given else look(desk)

    return hook


def command_of(
    path: str, hook: Hook | None = None, *more: click.Parameter, pairings: Sequence[Any] = ()
) -> click.Command:
    """The command of the rows whose `cli` begins with `path`; `more`: parameters of the hook;
    `pairings`: what `only_with` and `never_with` return.
    """
    variants = [Variant(row) for row in OPERATIONS.values() if Variant(row).path == path]
    base = next(variant for variant in variants if not variant.flag)
    extra = {str(parameter.name) for parameter in more}

    @prints(*filter(None, (hook,)), LogEntries)
    def command(desk: CommandContext, **values: Any) -> CommandReport[Any] | None:
        # what was not typed; a number is still a text here, so that 0 does not count as False
        given = {key: value for key, value in values.items() if value not in (None, False, ())}
        for variant in variants:
            given = variant.chosen(given)
        if hook is not None:
            rest = {key: value for key, value in given.items() if key not in extra}
            done = hook(desk, rest, **{key: values[key] for key in extra})
            if done is not GO_ON:
                return done if isinstance(done, CommandReport) else None
            given = rest
        chosen = next((one for one in variants if one.flag and one.flag in given), base)
        desk.perform(chosen.row, *chosen.forms(given))
        return None

    parameters = _parameters(variants, needed=hook is None)
    made = click.command(
        path.split()[-1], cls=SharingCommand, help=base.row.help, params=[*parameters, *more]
    )
    every = (*pairings, *_one_of(variants))
    # pairings outside: a call without effect is refused before a database is opened
    return made(functools.reduce(lambda done, pairing: pairing(done), every, writes(command)))


class Variant:
    """One operation as a command tells it: `path`, `arguments`, and the option that chooses it."""

    def __init__(self, row: OperationRow) -> None:
        # `check MATCH... --cards`: small words name the command, capitals its arguments
        words = row.cli.split()
        self.row = row
        self.path = " ".join(word for word in words if word.islower() and word[:2] != "--")
        self.arguments = [word for word in words if word.rstrip(".").isupper()]
        self.flag = next((word[2:].replace("-", "_") for word in words if word[:2] == "--"), "")
        self.fields = row.form.fields
        positional = {argument.rstrip(".").lower() for argument in self.arguments}
        taken = {*positional, *(CARDS if "cards" in positional else ())}
        self.options = {
            name: field
            for name, field in self.fields.items()
            if name not in taken and field.option != "-"
        }

    def chosen(self, given: OptionValues) -> dict[str, Any]:
        """With the value of a field in place of the option for it."""
        each = {name: field for name, field in self.options.items() if field.option == "each"}
        said = {_each(name, one): (name, one) for name, f in each.items() for one in f.choices}
        return dict(said.get(key, (key, value)) for key, value in given.items())

    def forms(self, given: OptionValues) -> list[Any]:
        """What was typed, as values; once for each of several arguments. Raises UserError."""
        pairs, each = self._pairs(given)
        return [self.row.form.read([*pairs, *one]) for one in each]

    def _pairs(
        self, given: OptionValues
    ) -> tuple[list[tuple[str, str]], list[list[tuple[str, str]]]]:
        pairs: list[tuple[str, str]] = []
        each: list[list[tuple[str, str]]] = [[]]
        names = {f"_{place}": name for place, name in enumerate(self._positional())}
        for key, value in given.items():
            name = names.get(key, key)
            if name == "cards" and CARDS[0] in self.fields:
                pairs += zip(CARDS, cards_of(value), strict=True)
            elif name in self.fields and isinstance(value, tuple):
                several = [[(name, one)] for one in value]
                # a field that takes several is one operation; else one for each: `call A-1 B-1`
                if self.fields[name].several:
                    pairs += [pair for one in several for pair in one]
                else:
                    each = several
            elif name in self.fields:
                # a flag as a form of the desk sends it (`FLAG` in fields.py)
                pairs.append((name, "1" if value is True else value))
            # an option of another variant of the same command
            elif name != self.flag:
                said = value if name.startswith("_") else f"--{name.replace('_', '-')}"
                raise UserError(
                    "option_unfit", option=said, other=f"--{self.flag or self.row.name}"
                )
        return pairs, each

    def _positional(self) -> list[str]:
        return [argument.rstrip(".").lower() for argument in self.arguments]


def cards_of(text: str) -> tuple[str, str]:
    """`20:12` as two texts. Raises UserError."""
    left, _, right = text.replace("-", ":").partition(":")
    # isdecimal alone takes the digits of every script
    if not (text.isascii() and left.isdecimal() and right.isdecimal()):
        raise UserError("no_cards", text=text)
    return left, right


def _parameters(variants: Sequence[Variant], needed: bool) -> list[click.Parameter]:
    """Arguments by their place, then the options of all variants."""
    longest = max(variants, key=lambda variant: len(variant.arguments))
    found: list[click.Parameter] = []
    for place, argument in enumerate(longest.arguments):
        name, several = argument.rstrip(".").lower(), argument.endswith("...")
        everywhere = all(len(variant.arguments) > place for variant in variants)
        # what a hook or another variant does without must not be demanded
        required = needed and everywhere and not several
        required &= name not in longest.fields or longest.row.form.needs(name)
        nargs = -1 if several else 1
        found.append(
            click.Argument([f"_{place}"], nargs=nargs, required=required, metavar=argument)
        )
    options: dict[str, click.Option] = {}
    for variant in variants:
        made = (o for name, field in variant.options.items() for o in _options(name, field))
        for option in [*_flag(variant), *made]:
            # variants share options: click would take the last of one name and say nothing
            options.setdefault(option.opts[0], option)
    return [*found, *options.values()]


def _each(name: str, choice: str) -> str:
    """The parameter of a field that has an option for each choice."""
    return f"{name}_is_{choice}"


def _one_of(variants: Sequence[Variant]) -> Iterator[Callable[[Any], Any]]:
    """Of a field with an option for each choice, no two go together."""
    for field in (field for variant in variants for field in variant.options.values()):
        if field.option == "each":
            yield from (
                never_with(f"--{one}", f"--{other}")
                for one, other in combinations(filter(None, field.choices), 2)
            )


def _flag(variant: Variant) -> list[click.Option]:
    """The option that chooses the variant, if it is no field."""
    if not variant.flag or variant.flag in variant.fields:
        return []
    text = paragraphs(variant.row.help)[0]
    if variant.flag == "cards":
        # the one that takes a value: two fields in one text (`cards_of`)
        return [click.Option(["--cards"], metavar="A:B", help=text)]
    return [click.Option([f"--{variant.flag.replace('_', '-')}"], is_flag=True, help=text)]


_NAMED = {"decks": DECK, "box": BOX}
"""Fields of which Tab knows the names."""


def _options(name: str, field: Field) -> list[click.Option]:
    text = field.help or None
    if name in CARDS:
        return []
    if field.option == "each":
        # "" is what counts if nothing is said
        each = [one for one in field.choices if one]
        return [
            click.Option([f"--{one}", _each(name, one)], is_flag=True, help=text) for one in each
        ]
    names = [field.option or f"--{name.replace('_', '-')}", name]
    if field.kind == FLAG:
        return [click.Option(names, is_flag=True, help=text)]
    kind: click.ParamType[Any] | None = _NAMED.get(name)
    if field.choices:
        kind = click.Choice([one for one in field.choices if one])
    # shown as click would, but read by the form: one refusal for desk and command line
    metavar = None if field.choices else "INTEGER" if isinstance(field.kind, Whole) else "TEXT"
    return [click.Option(names, type=kind, multiple=field.several, metavar=metavar, help=text)]


def __getattr__(name: str) -> click.Command:
    """`take_back` is the command `schiri tournament take-back`."""
    # group.py names it as a function of this module, which LazyGroup takes by `getattr`
    path = name.replace("_", "-")
    if path not in {Variant(row).path for row in OPERATIONS.values()}:
        raise AttributeError(name)
    return command_of(path)
