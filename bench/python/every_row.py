"""Who still waits, by reading the row of every call: what the module is measured against. Prints how many callers, and its requests."""

import sys
from typing import Any

import boto3

from timed import Timed

day_from, day_to = sys.argv[1:]
dynamodb = boto3.resource("dynamodb")
timed = Timed(dynamodb.meta.client)
calls = dynamodb.Table("callfeed-calls")
listed: list[Any] = []
request: dict[str, Any] = {
    "IndexName": "byTime",
    "KeyConditionExpression": "accountCalls = :account AND listedAt BETWEEN :from AND :to",
    "ExpressionAttributeValues": {":account": "demo", ":from": day_from, ":to": day_to},
}
while True:
    page = calls.query(**request)
    listed += page["Items"]
    if "LastEvaluatedKey" not in page:
        break
    request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

rows: list[Any] = []
keys = [{"pk": row["pk"], "sk": row["sk"]} for row in listed]
while keys:
    answer = dynamodb.batch_get_item(RequestItems={calls.name: {"Keys": keys[:100]}})
    rows += answer["Responses"][calls.name]
    keys = keys[100:] + answer["UnprocessedKeys"].get(calls.name, {}).get("Keys", [])

spoken: set[Any] = set()
waiting: set[Any] = set()
for row in sorted(rows, key=lambda row: row["listedAt"], reverse=True):
    number = row.get("customerNumberE164")
    if row.get("status") == "answered":
        spoken.add(number)
    elif number not in spoken:
        waiting.add(number)
timed.print(len(waiting))
