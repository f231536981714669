"""Makes a follow-up of each call whose disposition asks for one."""

import json
import os
import time
from typing import Any

import boto3

disposition = os.environ["DISPOSITION"]
table = boto3.resource("dynamodb").Table(os.environ["FOLLOW_UPS_TABLE"])
has_one = table.meta.client.exceptions.ConditionalCheckFailedException

# Far longer than a repeat can take: four days in the queue, and fourteen among the dead letters.
retention_seconds = 90 * 24 * 60 * 60


def follow_up_of(event: dict[str, Any]) -> dict[str, Any] | None:
    """The follow-up for an event, if its call needs one. The rules filter alike to keep the queue short; this decides."""
    if event["detail-type"] not in ("Call Summary Recorded", "Call Summary Revised"):
        return None
    detail = event["detail"]
    if event["source"] != "callfeed" or detail["schemaVersion"] != 1:
        raise ValueError
    call = detail["call"]
    if disposition not in call.get("dispositions", []):
        return None
    # Ids are text: they have more digits than a number of JSON can hold.
    wanted = {
        "call": f"{detail['account']}#{detail['callId']}",
        "account": detail["account"],
        "callId": detail["callId"],
        "askedAt": detail["occurredAt"],
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


def handler(batch: dict[str, Any], _context: object) -> dict[str, Any]:
    """Handles a batch. Only failed events come again; after five failures they become dead letters."""
    failed = []
    for record in batch["Records"]:
        try:
            follow_up = follow_up_of(json.loads(record["body"]))
            if follow_up is not None:
                message = "follow-up made" if store(follow_up) else "repeat skipped"
                print(json.dumps({"message": message, "callId": follow_up["callId"]}))
        except Exception as error:
            # Its text may have personal data.
            print(json.dumps({"message": "event failed", "messageId": record["messageId"], "reason": type(error).__name__}))
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}
