"""Who still waits, by the module. Prints how many callers."""

import sys

import boto3
from callfeed import Callfeed

day_from, day_to = sys.argv[1:]
callfeed = Callfeed(
    boto3.client("dynamodb"), calls_table="callfeed-calls", agents_table="callfeed-agents", account="demo"
)
print(len(callfeed.missed_calls(from_=day_from, to=day_to).waiting))
