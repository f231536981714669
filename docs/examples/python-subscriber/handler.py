"""Makes a follow-up of each call whose disposition asks for one."""

import json
import os
import time
from typing import Any

import boto3
from callfeed import CallEvent, handle_batch

disposition = os.environ["DISPOSITION"]
table = boto3.resource("dynamodb").Table(os.environ["FOLLOW_UPS_TABLE"])
has_one = table.meta.client.exceptions.ConditionalCheckFailedException

# Far longer than a repeat can take: four days in the queue, and fourteen among the dead letters.
retention_seconds = 90 * 24 * 60 * 60


def follow_up_of(event: CallEvent) -> dict[str, Any]:
    """The follow-up for a call. Ids are text: they have more digits than a number of JSON can hold."""
    call = event["call"]
    wanted = {
        "call": f"{event['account']}#{event['callId']}",
        "account": event["account"],
        "callId": event["callId"],
        "askedAt": event["occurredAt"],
        "agentIds": call.get("agentIds"),
        # Absent if it was withheld, or if the deployment omits personal fields from events.
        "customerNumber": call.get("customerNumber"),
    }
    return {name: value for name, value in wanted.items() if value is not None}


def store(follow_up: dict[str, Any]) -> bool:
    """Stores it unless its call has one. One write is both, so no crash can come between. Answers whether it is new."""
    item = {**follow_up, "expiresAt": int(time.time()) + retention_seconds}
    try:
        table.put_item(Item=item, ConditionExpression="attribute_not_exists(#call)", ExpressionAttributeNames={"#call": "call"})
        return True
    except has_one:
        return False


def follow_up(event: CallEvent) -> None:
    """The rules filter alike to keep the queue short; this decides."""
    if disposition in event["call"].get("dispositions", []):
        message = "follow-up made" if store(follow_up_of(event)) else "repeat skipped"
        print(json.dumps({"message": message, "callId": event["callId"]}))


def handler(batch: dict[str, Any], _context: object) -> dict[str, Any]:
    """Handles a batch. Only failed events come again; after five failures they become dead letters."""
    return handle_batch(batch, follow_up)
