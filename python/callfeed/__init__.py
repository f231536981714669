"""
Calls and agents of a contact centre, for programs in Python 3.11 or later with boto3: docs/consuming.md, in Python.

    callfeed = Callfeed(boto3.client("dynamodb"), calls_table="callfeed-calls", agents_table="callfeed-agents", account="demo")
    for caller in callfeed.missed_calls(open=True).waiting:
        print(caller["attempts"], caller["customerNumber"], *caller["callIds"])
"""

from .client import Callfeed, CallDetails, Floor, LiveFloor, NeverPolled, StaleFloor, is_free
from .missed_calls import AnsweredBy, MissedCall, MissedCalls, is_missed
from .rows import AgentNow, AgentState, Call, CallEvent, CallLeg, CallParticipant, CallSummary, FeedNow, ListedCall, MissedState, WaitingCaller
from .subscriber import HandledCalls, NotACallfeedEvent, handle_batch, parse_call_event
from .table import DynamoDB, UnreadableRow, day_bounds

__all__ = [
    "AgentNow",
    "AgentState",
    "AnsweredBy",
    "Call",
    "CallDetails",
    "CallEvent",
    "CallLeg",
    "CallParticipant",
    "CallSummary",
    "Callfeed",
    "DynamoDB",
    "FeedNow",
    "Floor",
    "HandledCalls",
    "ListedCall",
    "LiveFloor",
    "MissedCall",
    "MissedCalls",
    "MissedState",
    "NeverPolled",
    "NotACallfeedEvent",
    "StaleFloor",
    "UnreadableRow",
    "WaitingCaller",
    "day_bounds",
    "handle_batch",
    "is_free",
    "is_missed",
    "parse_call_event",
]
