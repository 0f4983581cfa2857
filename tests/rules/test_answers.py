"""Writing answers: the same bytes on both interpreters."""

import unittest

from firmware.games import names, row, rules_of
from firmware.rules.answers import (
    Answer,
    Awaits,
    Pairs,
    Refusal,
    known_events,
    quote,
    write_answer,
    write_json,
    write_result,
)

for _name in names():
    rules_of(row(_name))  # each game brings its own events


class WritingTest(unittest.TestCase):
    def test_strings(self) -> None:
        self.assertEqual(quote("Größe ß €"), '"Größe ß €"')
        self.assertEqual(quote('a"b\\c\n\r\t\x01'), '"a\\"b\\\\c\\n\\r\\t\\u0001"')

    def test_values(self) -> None:
        value = [None, True, False, -3, "x", (1, []), Pairs([("b", 1), ("a", [])])]
        self.assertEqual(write_json(value), '[null,true,false,-3,"x",[1,[]],{"b":1,"a":[]}]')
        self.assertEqual(write_json(2**70), "1180591620717411303424")

    def test_an_event_begins_with_its_name(self) -> None:
        event = ("round_tied", [0, 2], None, 3)
        text = '{"is":"round_tied","seats":[0,2],"category":null,"pot":3}'
        answer = Answer(1, [event], None, Awaits(None, "begin", ()))
        self.assertIn('"events":[' + text + "]", write_answer(answer))

    def test_answers(self) -> None:
        awaits = Awaits(None, "begin", ())
        text = '{"n":1,"events":[],"awaits":{"seat":null,"for":"begin"}}'
        self.assertEqual(write_answer(Answer(1, [], None, awaits)), text)
        refused = '"refused":{"reason":"over","rule":"TR-10"},'
        text = '{"n":2,' + refused + '"awaits":{"seat":null,"for":"begin"}}'
        answer = Answer(2, [], Refusal("over", "TR-10"), awaits)
        self.assertEqual(write_answer(answer), text)
        timed = Answer(2, [("time_up", 0)], Refusal("over", "TR-10"), awaits)
        self.assertIn('"events":[{"is":"time_up","left_ms":0}],"refused"', write_answer(timed))

    def test_awaits_may_say_more(self) -> None:
        awaits = Awaits(1, "place", (("tables", ["T01"]),))
        text = '{"n":1,"events":[],"awaits":{"seat":1,"for":"place","tables":["T01"]}}'
        self.assertEqual(write_answer(Answer(1, [], None, awaits)), text)

    def test_result(self) -> None:
        self.assertEqual(write_result([("over", False)]), '{"result":{"over":false}}')

    def test_no_event_has_a_field_twice(self) -> None:
        for event in known_events():
            self.assertEqual(len(set(event)), len(event))
