"""Runs the handler on the sandbox's events: a table there, and a loop instead of rules and a queue."""

import os
from urllib.request import urlopen

import boto3

os.environ.setdefault("DISPOSITION", "Call back")
name = os.environ.setdefault("FOLLOW_UPS_TABLE", "follow-ups")
dynamodb = boto3.client("dynamodb")
try:
    dynamodb.create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": "call", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "call", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
    )
except dynamodb.exceptions.ResourceInUseException:
    pass

# It reads the variables when it is loaded.
from handler import handler  # noqa: E402

sandbox = os.environ.get("SANDBOX", "http://127.0.0.1:3000")
try:
    with urlopen(f"{sandbox}/_sandbox/events?follow") as events:
        print("Waiting for follow-ups. Ctrl-C ends this.", flush=True)
        for line in events:
            handler({"Records": [{"messageId": "by hand", "body": line.decode()}]}, None)
except KeyboardInterrupt:
    pass
