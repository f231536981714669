"""Who still waits, by the module. Prints how many callers, and its requests."""

import sys

import boto3
from callfeed import Callfeed

from timed import Timed

day_from, day_to = sys.argv[1:]
dynamodb = boto3.client("dynamodb")
timed = Timed(dynamodb)
callfeed = Callfeed(dynamodb, calls_table="callfeed-calls", agents_table="callfeed-agents", account="demo")
timed.print(len(callfeed.missed_calls(from_=day_from, to=day_to).waiting))
