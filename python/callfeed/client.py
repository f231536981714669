"""Reads one account's calls and agents, with the words of the client in TypeScript: `callfeed/client`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Literal

from .missed_calls import ENDING_DIGITS, MAX_UNDER_WAY_SECONDS, ROW_FIELDS, MissedCalls, is_conversation, is_missed, judge, may_end_wait
from .rows import AgentNow, Call, CallParticipant, FeedNow, ListedCall
from .table import DynamoDB, Moment, Row, day_bounds, instant_of, joined_key, moved, query, read_as, row_of, rows_of_calls, seconds_between

DAY_SECONDS = 86_400
STALE_AFTER_SECONDS = 30
"""Rows of agents are stale at this age where the feed does not say when."""

# A call is recorded in time from five minutes before its start to an hour after it; clocks differ by minutes.
RECORDED_BEFORE_SECONDS = 300
RECORDED_AFTER_SECONDS = 3_600

# Before and after each instant, as a text.
EARLIEST, LATEST = "0", "9"


@dataclass(frozen=True)
class NeverPolled:
    """No poll has succeeded yet, so nothing is known about the agents."""

    feed: FeedNow | None
    freshness: Literal["none"] = "none"


@dataclass(frozen=True)
class LiveFloor:
    """The logged-in agents by id, while polls succeed: true for `as_of`, `age_seconds` ago by this machine's clock."""

    feed: FeedNow
    as_of: str
    age_seconds: float
    agents: list[AgentNow]
    freshness: Literal["live"] = "live"


@dataclass(frozen=True)
class StaleFloor:
    """The agents as they were known last: polls no longer succeed, so they may have changed since."""

    feed: FeedNow
    as_of: str
    age_seconds: float
    last_known_agents: list[AgentNow]
    freshness: Literal["stale"] = "stale"


Floor = NeverPolled | LiveFloor | StaleFloor


@dataclass(frozen=True)
class CallDetails:
    """A call with its legs, participants and deliveries; `call` is None while only participants have been received."""

    call: Call | None
    participants: list[CallParticipant]


def is_free(agent: AgentNow) -> bool:
    """Whether an agent can be given a call now. Ask about live agents only."""
    return agent["state"] == "ready"


class Callfeed:
    """
    Reads one account's calls and agents. It keeps nothing and writes nothing, and several threads may share it.

    `dynamodb` is `boto3.client("dynamodb")`, with the permissions Query, GetItem and BatchGetItem on both tables and their
    indexes. The tables are named by their names, or by their ARNs if they are in another AWS account. `shared_numbers` are
    numbers of many people, such as a switchboard: give them where agents are not polled, as no row has them there.
    """

    def __init__(
        self,
        dynamodb: DynamoDB,
        *,
        calls_table: str,
        agents_table: str,
        account: str,
        shared_numbers: Iterable[str] | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        self._dynamodb = dynamodb
        self._tables = {"calls": calls_table, "agents": agents_table}
        self._account = account
        self._shared_numbers = shared_numbers
        self._clock = clock

    def query(
        self,
        table: Literal["calls", "agents"],
        condition: str,
        values: dict[str, str],
        *,
        index: str | None = None,
        backwards: bool = False,
        page_size: int | None = None,
    ) -> Iterator[Row]:
        """
        The rows of any other query of the contract, as they are stored, read while you iterate. A request reads 1 MB, or
        `page_size` rows.
        """
        return query(self._dynamodb, self._tables[table], condition, values, index=index, backwards=backwards, page_size=page_size)

    def floor(self) -> Floor:
        """
        All logged-in agents, and how old that is by this machine's clock: a poller that has stopped writes nothing. Live and
        stale agents have different names, so that code cannot mix them up.
        """
        # Backwards the feed comes first: a poll that is written between two pages makes agents newer than it, never older.
        rows = list(self.query("agents", "pk = :account", {":account": joined_key(self._account)}, backwards=True))
        feed = next((read_as(FeedNow, row) for row in rows if row["sk"] == "feed"), None)
        found = [read_as(AgentNow, row) for row in reversed(rows) if row["sk"].startswith("agent#")]
        agents = [agent for agent in found if agent["state"] != "logged-out"]
        as_of = feed.get("asOf") if feed is not None else None
        if feed is None or as_of is None:
            return NeverPolled(feed)
        now = instant_of(self._clock())
        age = max(0.0, seconds_between(as_of, now))
        if feed["status"] == "live" and now <= feed.get("staleAt", moved(as_of, STALE_AFTER_SECONDS)):
            return LiveFloor(feed, as_of, age, agents)
        return StaleFloor(feed, as_of, age, agents)

    def call(self, call_id: str) -> CallDetails | None:
        """A call with its legs, participants and deliveries; None if there is none. An id is a text: a number loses digits."""
        if not isinstance(call_id, str):
            raise TypeError("call_id: expected text, as a number loses digits")
        rows = list(self.query("calls", "pk = :call", {":call": joined_key(self._account, call_id)}))
        call = next((read_as(Call, row) for row in rows if row["sk"] == "call"), None)
        participants = [read_as(CallParticipant, row) for row in rows if row["sk"].startswith("participant#")]
        return None if call is None and not participants else CallDetails(call, participants)

    def calls(
        self,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        day: date | str | None = None,
        time_zone: str | None = None,
        recorded_from: Moment | None = None,
        recorded_to: Moment | None = None,
    ) -> Iterator[ListedCall]:
        """
        The account's calls, newest first, read while you iterate: by their start, of a day, or by when they were first
        recorded. The last has every call of the range once, however late it came: the late ones first.
        """
        if recorded_from is None and recorded_to is None:
            return self._by_start(*_bounds(from_, to, day, time_zone))
        if recorded_from is None or any(limit is not None for limit in (from_, to, day, time_zone)):
            raise ValueError("recorded_from, recorded_to: expected the first of them, and no limit of another kind beside them")
        return self._by_recording(*_bounds(recorded_from, recorded_to, None, None))

    def missed_calls(
        self,
        *,
        from_: Moment | None = None,
        to: Moment | None = None,
        day: date | str | None = None,
        time_zone: str | None = None,
        open: bool = False,
        within_seconds: float = DAY_SECONDS,
        as_of: Moment | None = None,
    ) -> MissedCalls:
        """
        The missed calls of a range, by default of the last day, each with what became of it, and who still waits: a row for
        each caller. `open` leaves those that nobody has returned yet in `calls`. A call `within_seconds` after a missed one
        ends the wait. `as_of` asks how it was at a past instant.

        It reads the list of the range, of four hours before it, and of `within_seconds` after it; and the number in E.164 from
        the rows of missed calls, and of conversations that may be with their callers. A caller without one is in `left_out`.
        """
        now = instant_of(as_of if as_of is not None else self._clock())
        if from_ is None and to is None and day is None and time_zone is None:
            from_, to = moved(now, -DAY_SECONDS), now
        first, last = _bounds(from_, to, day, time_zone)
        ends = [end for end in (now if as_of is not None else None, last and moved(last, within_seconds)) if end]
        end = min(ends, default=None)
        if first is not None and end is not None and first > end:
            raise ValueError("from_, as_of: expected a range that does not end before it begins")

        def is_asked(call: ListedCall) -> bool:
            return is_missed(call) and (first or EARLIEST) <= call["listedAt"] <= (last or now)

        listed = list(self._by_start(first and moved(first, -MAX_UNDER_WAY_SECONDS), end))
        deciding = [call for call in listed if is_conversation(call) or is_asked(call) or "linkedCallId" in call]
        asked = [call for call in deciding if is_asked(call)]
        rows = {row["callId"]: row for row in self._rows_of(asked, ROW_FIELDS)}
        endings = {row["customerNumberE164"][-ENDING_DIGITS:] for row in rows.values() if "customerNumberE164" in row}
        # Nobody waits for any other conversation, so its row is not read.
        others = [call for call in deciding if asked and is_conversation(call) and may_end_wait(call, endings)]
        rows |= {row["callId"]: row for row in self._rows_of(others, ROW_FIELDS)}
        return judge(deciding, asked, rows, shared=self._shared(), within_seconds=within_seconds, as_of=now, only_open=open)

    def _by_start(self, first: str | None, last: str | None) -> Iterator[ListedCall]:
        bounds = {":first": first or EARLIEST, ":last": last or LATEST}
        condition = "accountCalls = :account AND listedAt BETWEEN :first AND :last"
        values = {":account": joined_key(self._account), **bounds}
        for row in self.query("calls", condition, values, index="byTime", backwards=True):
            yield read_as(ListedCall, row)

    def _by_recording(self, first: str | None, last: str | None) -> Iterator[ListedCall]:
        first, last = first or EARLIEST, last or LATEST
        condition = "lateCalls = :account AND firstRecordedAt BETWEEN :first AND :last"
        values = {":account": joined_key(self._account), ":first": first, ":last": last}
        for row in self.query("calls", condition, values, index="byLateRecording", backwards=True):
            yield read_as(ListedCall, row)
        end = None if last == LATEST else moved(last, RECORDED_BEFORE_SECONDS)
        listed = list(self._by_start(moved(first, -RECORDED_AFTER_SECONDS), end))
        # A list does not show when a call was recorded.
        fields = ("callId", "lateCalls", "firstRecordedAt", "revision", "recordedAt", "firstReceivedAt")
        rows = {row["callId"]: row for row in self._rows_of(listed, fields)}
        for call in listed:
            found = rows.get(call["callId"])
            # A row that is gone has expired. One that is late is in the other query.
            if found is None or "lateCalls" in found:
                continue
            at = found.get("firstRecordedAt") or found["recordedAt" if found["revision"] == 1 else "firstReceivedAt"]
            if first <= at <= last:
                call["firstRecordedAt"] = at
                yield call

    def _rows_of(self, calls: Iterable[ListedCall], fields: Iterable[str]) -> Iterator[Row]:
        partitions = (joined_key(self._account, call["callId"]) for call in calls)
        return rows_of_calls(self._dynamodb, self._tables["calls"], partitions, fields)

    def _shared(self) -> list[str]:
        """The account's shared numbers, as somebody typed them: the poller writes them for readers."""
        if self._shared_numbers is not None:
            return list(self._shared_numbers)
        key = {"pk": {"S": joined_key("", "accounts")}, "sk": {"S": "accounts"}}
        item = self._dynamodb.get_item(TableName=self._tables["agents"], Key=key).get("Item", {})
        accounts = row_of(item).get("accounts", [])
        return [number for one in accounts if one["userName"] == self._account for number in one.get("sharedNumbers", [])]


def _bounds(from_: Moment | None, to: Moment | None, day: date | str | None, time_zone: str | None) -> tuple[str | None, str | None]:
    if day is not None or time_zone is not None:
        if day is None or time_zone is None or from_ is not None or to is not None:
            raise ValueError("day, time_zone, from_, to: expected a day with its time zone, or a range")
        return day_bounds(day, time_zone)
    first, last = (None if limit is None else instant_of(limit) for limit in (from_, to))
    if first is not None and last is not None and first > last:
        raise ValueError("from_, to: expected a range that does not end before it begins")
    return first, last
