"""For programs that get events about calls: from a rule of EventBridge, or from a queue of SQS behind one."""

import json
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, cast

from .rows import CallEvent
from .table import DynamoDB, joined_key

CALL_EVENTS = ("Call Summary Recorded", "Call Summary Revised")

REQUIRED: Mapping[str, type] = {"id": str, "account": str, "callId": str, "revision": int, "occurredAt": str, "recordedAt": str, "call": dict}

KEEP_SECONDS = 90 * 86_400
"""Far longer than a repeat can take: four days in a queue, and fourteen among dead letters."""

_log = logging.getLogger("callfeed")


class NotACallfeedEvent(ValueError):
    """A value is no event of the contract. Its message holds no part of that value."""


def parse_call_event(event: str | Mapping[str, Any]) -> CallEvent | None:
    """
    The `detail` of an event about a call. None for an event of another kind, which a later version may add. A text is the
    `body` of a message from SQS. Ids in it are exact, as they are texts. Raises NotACallfeedEvent for another source, another
    `schemaVersion`, and a field that is missing or wrong. Events without personal data are valid too.
    """
    try:
        whole: object = json.loads(event) if isinstance(event, str) else event
    except ValueError:
        raise NotACallfeedEvent("the text is no JSON") from None
    if not isinstance(whole, Mapping) or whole.get("source") != "callfeed":
        raise NotACallfeedEvent("source: expected callfeed")
    if whole.get("detail-type") not in CALL_EVENTS:
        return None
    detail = whole.get("detail")
    if not isinstance(detail, Mapping) or detail.get("schemaVersion") != 1:
        raise NotACallfeedEvent("detail.schemaVersion: expected 1")
    wrong = [name for name, kind in REQUIRED.items() if not isinstance(detail.get(name), kind)]
    if wrong:
        raise NotACallfeedEvent(f"missing or wrong: {', '.join(f'detail.{name}' for name in wrong)}")
    return cast(CallEvent, detail)


def handle_batch(batch: Mapping[str, Any], handle: Callable[[CallEvent], object]) -> dict[str, list[dict[str, str]]]:
    """
    Handles the calls in a batch of SQS, and answers which messages failed, so that only those come again: switch on
    `ReportBatchItemFailures`. The log has the kind of an error, as its text may have personal data.
    """
    failed = []
    for record in batch["Records"]:
        try:
            event = parse_call_event(record["body"])
            if event is not None:
                handle(event)
        except Exception as error:
            _log.error("message %s failed: %s", record["messageId"], type(error).__name__)
            failed.append({"itemIdentifier": str(record["messageId"])})
    return {"batchItemFailures": failed}


class HandledCalls:
    """
    The calls that a subscriber has handled, as notes in a table of its own with the text `pk` as its key. Notes expire after
    90 days, if `expiresAt` is the table's time to live. Ask right before you act: events come at least once and in no
    promised order. A crash in between loses the call; after an error, `forget` it and let the event come again.
    """

    def __init__(self, dynamodb: DynamoDB, table: str) -> None:
        self._dynamodb = dynamodb
        self._table = table

    def is_first(self, event: CallEvent) -> bool:
        """Whether no event of this call was noted before, whatever its revision: for one action per call."""
        return self._note(event, "attribute_not_exists(pk)")

    def is_newest(self, event: CallEvent) -> bool:
        """Whether no such or later revision of this call was noted before: for a copy of the call elsewhere."""
        return self._note(event, "attribute_not_exists(pk) OR revision < :revision")

    def forget(self, event: CallEvent) -> None:
        """Takes the note of this event back."""
        condition = {"ConditionExpression": "revision = :revision", "ExpressionAttributeValues": {":revision": _number(event["revision"])}}
        try:
            self._dynamodb.delete_item(TableName=self._table, Key={"pk": _key(event)}, **condition)
        except self._dynamodb.exceptions.ConditionalCheckFailedException:
            # A later revision was noted meanwhile, or nothing is noted.
            return

    def _note(self, event: CallEvent, condition: str) -> bool:
        revision = _number(event["revision"])
        item = {"pk": _key(event), "revision": revision, "expiresAt": _number(int(time.time()) + KEEP_SECONDS)}
        values = {"ExpressionAttributeValues": {":revision": revision}} if ":revision" in condition else {}
        try:
            self._dynamodb.put_item(TableName=self._table, Item=item, ConditionExpression=condition, **values)
            return True
        except self._dynamodb.exceptions.ConditionalCheckFailedException:
            return False


def _key(event: CallEvent) -> dict[str, str]:
    return {"S": joined_key(event["account"], event["callId"])}


def _number(value: int) -> dict[str, str]:
    return {"N": str(value)}
