"""The letters: drawn as pictures, packed for the box, and enough of them for every text."""

from firmware.app.canvas import Canvas
from firmware.app.fonts import big, small

from .fakes import FakeDisplay, words_in
from .make_fonts import FOLDER, SPACES, columns_of, letters_of, modules, read_art

TURKISH = "ÇçĞğİıÖöŞşÜü"
GERMAN = "ÄÖÜäöüß„“–…"


def test_the_packed_letters_are_those_of_the_pictures() -> None:
    for name, text in modules().items():
        drawn: dict[str, object] = {}
        kept: dict[str, object] = {}
        exec(text, drawn)  # our own generator's text: constants only
        exec((FOLDER / name).read_text("utf8"), kept)
        del drawn["__builtins__"], kept["__builtins__"]
        assert drawn == kept, f"{name} is old: run python -m tests.app.make_fonts"


def test_every_letter_of_every_text_is_drawn() -> None:
    missing = (
        set("".join([*words_in("de").tables, *words_in("en").tables]))
        - set(letters_of(small))
        - set("\n{}|_")
    )
    assert not missing


def test_german_and_turkish_names_are_drawn() -> None:
    assert set(GERMAN + TURKISH) <= set(letters_of(small))


def test_no_two_letters_look_the_same() -> None:
    looks: dict[tuple[int, ...], str] = {}
    for letter in set(letters_of(small)) - set(SPACES):
        look = tuple(columns_of(small, letter))
        other = looks.setdefault(look, letter)
        assert other == letter, f"{other} and {letter}"


def test_large_letters_are_the_small_ones_twice_as_wide_and_high() -> None:
    small_canvas, large_canvas = Canvas(FakeDisplay().frame), Canvas(FakeDisplay().frame)
    for text in ("Jürgen", "Şule ğ", "a\xa0b€"):
        small_canvas.clear()
        large_canvas.clear()
        assert large_canvas.letters.width(text) == 2 * small_canvas.small.width(text)
        small_canvas.text(0, 0, text)
        large_canvas.large(0, 0, text)
        for y in range(22):
            for x in range(128):
                dot = small_canvas.frame.pixel(x // 2, y // 2)
                assert large_canvas.frame.pixel(x, y) == dot, (text, x, y)


def test_a_letter_is_laid_dot_by_dot() -> None:
    display = FakeDisplay()
    Canvas(display.frame).text(5, 3, "T")
    art = read_art((FOLDER / "small.art").read_text("utf8"))["T"]
    for y, row in enumerate(art):
        for x, dot in enumerate(row):
            assert display.frame.pixel(5 + x, 3 + 2 + y) == (dot == "#")


def test_dark_letters_leave_the_lit_ground() -> None:
    display = FakeDisplay()
    display.frame.fill(1)
    Canvas(display.frame).text(0, 0, "I", ink=0)
    assert [display.frame.pixel(0, y) for y in range(11)] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    assert display.frame.pixel(1, 4) == 1


def test_widths_count_columns_and_gaps() -> None:
    canvas = Canvas(FakeDisplay().frame)
    assert canvas.small.width("I") == 1
    assert canvas.small.width("II") == 1 + 1 + 1  # a gap of one dot
    assert canvas.small.width("I I") == 1 + 1 + 3 + 1 + 1  # a space is three dots and its gap
    assert canvas.digits.width("00") == 8 + 2 + 8


def test_an_unknown_letter_is_a_question_mark() -> None:
    canvas = Canvas(FakeDisplay().frame)
    for strange in ("中", "\n", "^", "\x7f", "😀", "ж"):
        assert canvas.small.codes("aä" + strange + "b")[3] == ord("b")
        assert drawn(strange) == drawn("?") != drawn("A")
    assert bytes(canvas.small.codes("aä€b")) == bytes(
        [ord("a"), code_of("ä"), code_of("€"), ord("b")]
    )
    # the digits have no question mark
    assert columns_of(big, "+") == [0xC0, 0xC0, 0xC0, 0x7F8, 0x7F8, 0xC0, 0xC0, 0xC0]
    assert canvas.digits.width("A") == canvas.digits.width("+")
    assert canvas.digits.codes("é") == b"+"


def drawn(text: str) -> list[int]:
    """The dots of a text, column by column."""
    frame = FakeDisplay().frame
    Canvas(frame).text(0, 0, text)
    return [frame.pixel(x, y) or 0 for x in range(20) for y in range(16)]


def code_of(letter: str) -> int:
    return 128 + small.OTHERS.decode().index(letter)


def test_letters_that_nobody_drew_are_told_with_others() -> None:
    """Þór is no question mark; with the gap that stands between T and h."""
    for letter, others in (("Þ", "Th"), ("ð", "d"), ("Ł", "L"), ("œ", "oe")):
        assert drawn(f"{letter}ór") == drawn(f"{others}ór")
    names = "ÞþÐðĐđÆæŒœØøŁłÝýÿÃÕÌÒÙŐőŰűĄąĘęŃŚŹŘĚĎďŤťŇňŮĽľĂăȘșȚț"
    assert [letter for letter in names if drawn(letter) == drawn("?")] == []
    canvas = Canvas(FakeDisplay().frame)
    assert canvas.fitted("ÞÞÞÞ", canvas.small.width("ThTh…")) == "ThTh…"
    assert canvas.fitted("Þór 2", 200) == "Þór 2"


def test_a_letter_is_cut_at_the_edge() -> None:
    display = FakeDisplay()
    canvas = Canvas(display.frame)
    width = canvas.small.width("W")
    assert canvas.text(126, 0, "WW") == 126 + width + 1 + width + 1
    assert any(display.frame.pixel(126, y) or display.frame.pixel(127, y) for y in range(11))
    display.frame.fill(0)
    canvas.text(10, 0, "WW", limit=10 + width + 2)  # the second one has room for one column
    assert not any(display.frame.pixel(x, y) for x in range(12 + width, 128) for y in range(16))
    assert any(display.frame.pixel(11 + width, y) for y in range(11))


def test_a_sentence_is_wrapped_at_spaces_only() -> None:
    canvas = Canvas(FakeDisplay().frame)
    wide = canvas.small.width("aa aa")
    assert canvas.wrap("aa aa aa", wide) == ["aa aa", "aa"]
    assert canvas.wrap("aa aa aa", wide - 1) == ["aa", "aa", "aa"]
    assert canvas.wrap("aa\xa0bb cc", 1) == ["aa\xa0bb", "cc"]


def test_a_text_is_cut_to_fit_and_keeps_the_number_of_a_seat() -> None:
    canvas = Canvas(FakeDisplay().frame)
    whole = "Jürgen Ähre 2"
    for width in range(200):
        short = canvas.fitted(whole, width)
        fits = canvas.small.width(short) <= width
        assert fits or short == "… 2"
        if short != whole:
            letters = short[: -len("… 2")]
            assert short == letters + "… 2"
            assert whole.startswith(letters)
            longer = whole[: len(letters) + 1] + "… 2"
            assert canvas.small.width(longer) > width or len(letters) + 1 == len(whole) - 2
        else:
            assert fits
