"""What the comparison with the client cannot show: pages, unread keys, arguments, and events."""

import json
import unittest
from collections.abc import Callable
from datetime import datetime
from typing import Any

from callfeed import Callfeed, HandledCalls, NotACallfeedEvent, UnreadableRow, day_bounds, handle_batch, is_missed, parse_call_event
from callfeed.table import row_of

Item = dict[str, dict[str, Any]]


class ConditionalCheckFailedException(Exception):
    pass


class Exceptions:
    ConditionalCheckFailedException = ConditionalCheckFailedException


class Answers:
    """A client of DynamoDB that gives one answer after the other, and keeps the requests."""

    exceptions = Exceptions

    def __init__(self, *answers: dict[str, Any] | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []

    def _next(self, *_args: Any, **request: Any) -> Any:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    get_item = query = batch_get_item = put_item = delete_item = _next


def callfeed_of(dynamodb: Answers, account: str = "demo") -> Callfeed:
    return Callfeed(
        dynamodb,
        calls_table="calls",
        agents_table="agents",
        account=account,
        shared_numbers=[],
        clock=lambda: datetime.fromisoformat("2026-11-20T12:00:00Z"),
    )


def listed(call_id: str, **fields: str) -> Item:
    texts = {"account": "demo", "timeZone": "UTC", "listedAt": "2026-11-20T06:00:00.000Z", **fields}
    return {"callId": {"S": call_id}, "revision": {"N": "1"}, **{name: {"S": text} for name, text in texts.items()}}


class Pages(unittest.TestCase):
    def test_reads_a_list_page_by_page_as_far_as_it_is_iterated(self) -> None:
        key = {"pk": {"S": "demo#1"}}
        dynamodb = Answers({"Items": [listed("1")], "LastEvaluatedKey": key}, {"Items": [], "LastEvaluatedKey": key}, {"Items": [listed("2")]})
        calls = callfeed_of(dynamodb, "dé mo").calls(day="2026-11-20", time_zone="Asia/Kolkata")

        self.assertEqual(next(calls)["callId"], "1")
        self.assertEqual(len(dynamodb.requests), 1)
        self.assertEqual([call["callId"] for call in calls], ["2"])
        self.assertEqual(dynamodb.requests[2]["ExclusiveStartKey"], key)
        values = {name: value["S"] for name, value in dynamodb.requests[0]["ExpressionAttributeValues"].items()}
        self.assertEqual(values, {":account": "d%C3%A9%20mo", ":first": "2026-11-19T18:30:00.000Z", ":last": "2026-11-20T18:29:59.999Z"})

    def test_reads_rows_a_hundred_at_a_time_and_again_what_was_left_unread(self) -> None:
        missed = {"status": "not-answered", "type": "inbound", "customerNumber": "09000000042"}
        rows = [{"callId": {"S": str(at)}, "customerNumberE164": {"S": "+919000000042"}} for at in range(150)]
        unread = {"arn:of:calls": {"Keys": [{"pk": {"S": "demo#99"}, "sk": {"S": "call"}}]}}
        dynamodb = Answers(
            {"Items": [listed(str(at), **missed) for at in range(150)]},
            {"Responses": {"arn:of:calls": rows[:99]}, "UnprocessedKeys": unread},
            {"Responses": {"calls": rows[99:]}, "UnprocessedKeys": {}},
        )
        found = callfeed_of(dynamodb).missed_calls()

        self.assertEqual([caller["attempts"] for caller in found.waiting], [150])
        keys = [request["RequestItems"]["calls"]["Keys"] for request in dynamodb.requests[1:]]
        self.assertEqual([len(each) for each in keys], [100, 51])
        self.assertTrue(dynamodb.requests[1]["RequestItems"]["calls"]["ConsistentRead"])

    def test_reads_no_row_where_no_call_was_missed(self) -> None:
        dynamodb = Answers({"Items": [listed("1", status="answered", type="inbound")]})
        self.assertEqual(callfeed_of(dynamodb).missed_calls().calls, [])

    def test_reads_of_conversations_only_those_that_may_be_with_a_caller_who_was_missed(self) -> None:
        numbers = {"same": "+919000000042", "other": "09000000043", "odd": "0900-0000043", "short": "0043"}
        conversations = [listed(name, status="answered", type="manual", customerNumber=number) for name, number in numbers.items()]
        missed = listed("missed", status="not-answered", customerNumber="09000000042")
        row = {"callId": {"S": "missed"}, "customerNumberE164": {"S": "+919000000042"}}
        rest: dict[str, Any] = {"Responses": {"calls": []}, "UnprocessedKeys": {}}
        dynamodb = Answers({"Items": [missed, *conversations]}, {**rest, "Responses": {"calls": [row]}}, rest)
        callfeed_of(dynamodb).missed_calls()

        read = [key["pk"]["S"] for request in dynamodb.requests[1:] for key in request["RequestItems"]["calls"]["Keys"]]
        self.assertEqual(read, ["demo#missed", "demo#same", "demo#odd", "demo#short"])

    def test_leaves_out_a_missed_call_whose_row_is_gone(self) -> None:
        dynamodb = Answers(
            {"Items": [listed("1", status="not-answered", customerNumber="09000000042")]},
            {"Responses": {"calls": []}, "UnprocessedKeys": {}},
        )
        found = callfeed_of(dynamodb).missed_calls()
        self.assertEqual([(one.call["callId"], one.state) for one in found.left_out], [("1", "no-number")])

    def test_says_which_fields_a_row_lacks_and_no_value(self) -> None:
        item = {name: value for name, value in listed("sentinel").items() if name != "listedAt"}
        with self.assertRaisesRegex(UnreadableRow, "^ListedCall lacks listedAt$"):
            list(callfeed_of(Answers({"Items": [item]})).calls())

    def test_has_numbers_that_json_takes_and_ids_with_all_digits(self) -> None:
        item = {"whole": {"N": "250"}, "below": {"N": "-3"}, "part": {"N": "12.5"}, "no": {"NULL": True}, "is": {"BOOL": False}}
        row = row_of({**item, "in": {"L": [{"M": {"id": {"S": "98765432109876543210"}}}]}})
        whole = '{"whole": 250, "below": -3, "part": 12.5, "no": null, "is": false, "in": [{"id": "98765432109876543210"}]}'
        self.assertEqual(json.dumps(row), whole)


class Arguments(unittest.TestCase):
    def test_refuses_before_it_reads(self) -> None:
        callfeed = callfeed_of(Answers())
        refused: list[Callable[[], object]] = [
            lambda: callfeed.calls(from_=datetime(2026, 11, 20)),
            lambda: callfeed.calls(from_="2026-11-20T00:00:00"),
            lambda: callfeed.calls(from_="2026-11-21T00:00:00Z", to="2026-11-20T00:00:00Z"),
            lambda: callfeed.calls(day="2026-11-20"),
            lambda: callfeed.calls(day="2026-11-20", time_zone="UTC", to="2026-11-20T00:00:00Z"),
            lambda: callfeed.calls(recorded_to="2026-11-20T00:00:00Z"),
            lambda: callfeed.calls(recorded_from="2026-11-20T00:00:00Z", day="2026-11-20", time_zone="UTC"),
            lambda: callfeed.missed_calls(day="2026-11-20", time_zone="UTC", as_of="2026-11-19T00:00:00Z"),
        ]
        for at, ask in enumerate(refused):
            with self.subTest(at), self.assertRaises(ValueError):
                ask()
        with self.assertRaises(TypeError):
            callfeed.call(41781234567890123)  # type: ignore[arg-type]

    def test_a_day_has_the_hours_that_it_has(self) -> None:
        self.assertEqual(day_bounds("2026-03-29", "Europe/London"), ("2026-03-29T00:00:00.000Z", "2026-03-29T22:59:59.999Z"))
        # Clocks skip midnight.
        self.assertEqual(day_bounds("2026-04-24", "Africa/Cairo"), ("2026-04-23T22:00:00.000Z", "2026-04-24T20:59:59.999Z"))


def event_of(revision: int = 1, **changes: object) -> dict[str, Any]:
    detail = {
        **{"schemaVersion": 1, "id": f"id-{revision}", "account": "demo", "callId": "98765432109876543210", "revision": revision},
        **{"occurredAt": "2026-11-20T06:00:00.000Z", "recordedAt": "2026-11-20T06:00:01.000Z"},
        "call": {"status": "not-answered", "timeZone": "UTC"},
    }
    kind = "Call Summary Recorded" if revision == 1 else "Call Summary Revised"
    return {"source": "callfeed", "detail-type": kind, "detail": {**detail, **changes}}


class Events(unittest.TestCase):
    def test_reads_an_event_and_the_text_of_one(self) -> None:
        for event in (event_of(), json.dumps(event_of())):
            read = parse_call_event(event)
            assert read is not None
            self.assertEqual((read["callId"], is_missed(read["call"])), ("98765432109876543210", True))
        self.assertIsNone(parse_call_event({**event_of(), "detail-type": "Agent Logged In"}))

    def test_names_what_is_wrong_and_no_value(self) -> None:
        odd: list[tuple[object, str]] = [
            ("sentinel {", "no JSON"),
            ([], "source"),
            ({**event_of(), "source": "sentinel"}, "source"),
            ({**event_of(), "detail": "sentinel"}, "schemaVersion"),
            (event_of(schemaVersion=2), "schemaVersion"),
            (event_of(callId=98765432109876543210, call="sentinel"), "detail.callId, detail.call$"),
        ]
        for event, text in odd:
            with self.subTest(text), self.assertRaisesRegex(NotACallfeedEvent, text) as caught:
                parse_call_event(event)  # type: ignore[arg-type]
            self.assertNotIn("sentinel", str(caught.exception))

    def test_answers_which_messages_of_a_batch_failed_and_logs_no_text(self) -> None:
        def fail_for_the_second(event: Any) -> None:
            if event["revision"] == 2:
                raise RuntimeError("sentinel")

        bodies = [json.dumps(event_of()), json.dumps(event_of(2)), "{", json.dumps({**event_of(), "detail-type": "New"})]
        with self.assertLogs("callfeed") as logs:
            records = [{"messageId": f"m{at}", "body": body} for at, body in enumerate(bodies)]
            answer = handle_batch({"Records": records}, fail_for_the_second)
        self.assertEqual(answer, {"batchItemFailures": [{"itemIdentifier": "m1"}, {"itemIdentifier": "m2"}]})
        self.assertNotIn("sentinel", "".join(logs.output))
        self.assertIn("RuntimeError", logs.output[0])


class Handled(unittest.TestCase):
    def test_against_the_table_of_a_sandbox(self) -> None:
        """Runs where the variables name a DynamoDB with a table `handled`."""
        import boto3

        handled = HandledCalls(boto3.client("dynamodb"), "handled")
        first, second, third = (parse_call_event(event_of(revision)) for revision in (1, 2, 3))
        assert first is not None and second is not None and third is not None

        self.assertEqual([handled.is_first(second), handled.is_first(second), handled.is_first(third)], [True, False, False])
        order = [first, second, third, second, third]
        self.assertEqual([handled.is_newest(event) for event in order], [False, False, True, False, False])
        handled.forget(second)
        self.assertFalse(handled.is_newest(third))
        handled.forget(third)
        self.assertEqual([handled.is_newest(third), handled.is_first(first)], [True, False])


if __name__ == "__main__":
    unittest.main()
