import * as z from 'zod';
import { type CallRecord, mergedFacts } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { changedFields } from '../../lib/calls/merge-deliveries.ts';
import { type CallList, type CallPage, isMissed, type ListedCall } from '../../lib/client/index.ts';
import { Call, CallParticipant, ListedCall as ListedCallSchema } from '../../lib/contract/rows.ts';
import { isInbound } from '../../lib/contract/rules.ts';
import type { Facts } from '../../lib/core/collections.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { justBefore } from '../../lib/core/time.ts';
import { redacted } from '../output/redact.ts';
import { Problem } from '../problem.ts';
import { type AccountDay, accountDay } from '../reader.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';

/** The filters of a list of calls; absent ones select all. Every text is compared in full. */
export interface CallQuery {
  /** A day in the account's zone, or `today`. */
  readonly day: string;
  /** Only calls listed up to this instant. */
  readonly at?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  readonly campaign?: string | undefined;
  readonly skill?: string | undefined;
  readonly agent?: string | undefined;
  readonly customer?: string | undefined;
  readonly cursor?: string | undefined;
}

/**
 * Calls of a quarter of an hour: milliseconds since the epoch at which it begins, customers' calls that were answered and
 * missed, and all others.
 */
export type Quarter = readonly [ms: number, answered: number, missed: number, others: number];

/** A portion of a list of calls, newest first. */
export interface CallsAnswer {
  readonly now: string;
  readonly day: string;
  readonly start: string;
  readonly end: string;
  readonly calls: readonly ListedCall[];
  /** How many calls were read to find these. */
  readonly read: number;
  readonly next: string | undefined;
  /** Absent where the list is one of an agent or a customer. */
  readonly quarters?: readonly Quarter[];
  /** From when on the quarters are counted; the day's start once they are whole. */
  readonly countedFrom?: string;
}

/** Pages of a list without and with filters: with them most calls are left out. */
const [pageSize, searchSize] = [100, 1_000];

/** The newest calls of a day that are counted, so that memory stays flat. */
const maxCounted = 100_000;
const maxDays = 4;
const quarterMs = 900_000;

interface Tally {
  readonly calls: Map<string, readonly [quarter: number, outcome: 1 | 2 | 3]>;
  cursor: string | undefined;
  countedFrom: string;
}

/** Reads calls: one request for the list, and one that counts the day a page further back until it is whole. */
export const callsReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const tallies = new Map<string, Tally>();
  const tallyOf = (key: string, end: string): Tally => {
    const tally = tallies.get(key) ?? { calls: new Map(), cursor: undefined, countedFrom: end };
    tallies.delete(key);
    tallies.set(key, tally);
    for (const old of [...tallies.keys()].slice(0, -maxDays)) tallies.delete(old);
    return tally;
  };

  /** Counts the page that was read, and one page further back while the day is not whole. */
  const counted = async (account: ShownAccount, { day, start, end }: AccountDay, page: CallPage) => {
    const tally = tallyOf(`${account.account} ${day}`, end);
    for (const call of page.calls) count(tally, call);
    if (tally.countedFrom > start) {
      const range = { from: start, to: justBefore(end) };
      const older = await firstPage(account.client.calls(range).pages(searchSize, tally.cursor));
      for (const call of older.calls) count(tally, call);
      tally.cursor = older.next;
      const isWhole = older.next === undefined || tally.calls.size > maxCounted;
      tally.countedFrom = isWhole ? start : (older.calls.at(-1)?.listedAt ?? start);
    }
    return { quarters: quartersOf(tally), countedFrom: tally.countedFrom };
  };

  return {
    async list(account: ShownAccount, query: CallQuery): Promise<CallsAnswer> {
      const { agent, customer, cursor } = query;
      if (customer !== undefined && !isPersonal) throw new Problem(personalAdvice, 2);
      const now = clock();
      const day = await accountDay(account, { day: query.day, timeZone: account.timeZone }, now);
      const size = isFiltered(query) ? searchSize : pageSize;
      const page = await firstPage(listOf(account, query, day).pages(size, cursor));
      const calls = page.calls.filter((call) => matches(call, query));
      return {
        now: now.toISOString(),
        day: day.day,
        start: day.start,
        end: day.end,
        calls: isPersonal ? calls : redacted(z.array(ListedCallSchema), calls),
        read: page.calls.length,
        next: page.next,
        ...(agent === undefined && customer === undefined && (await counted(account, day, page))),
      };
    },
    async call({ client }: ShownAccount, callId: string): Promise<CallAnswer> {
      const found = await client.call(callId);
      if (found === undefined)
        throw new Problem('There is no such call. It may be older than the table keeps calls.', 2);
      const { call, participants } = found;
      return {
        now: clock().toISOString(),
        call: call && withChanges('call', call, Call, isPersonal),
        participants: participants.map((one) => withChanges('participant', one, CallParticipant, isPersonal)),
      };
    },
    async asSent({ client }: ShownAccount, callId: string): Promise<AsSentAnswer> {
      if (!isPersonal) throw new Problem(personalAdvice, 2);
      const { call, participants = [] } = (await client.call(callId)) ?? {};
      const rows = [...(call === undefined ? [] : [call]), ...participants];
      const deliveries = rows.flatMap((row) => row.deliveries);
      return { asSent: Object.fromEntries(deliveries.map(({ id, asSent }) => [id, decompressText(asSent)])) };
    },
  };
};

const listOf = ({ client }: ShownAccount, { agent, customer, at }: CallQuery, { start, end }: AccountDay): CallList => {
  const last = justBefore(end);
  // A moment before the day leaves nothing of it.
  const range = { from: start, to: at === undefined || at > last ? last : at < start ? start : at };
  if (agent !== undefined) return client.callsOfAgent(agent, range);
  return customer === undefined ? client.calls(range) : client.callsOfCustomer(customer, range);
};

const personalAdvice = 'This names people. Start the console with --personal to see it.';

const firstPage = async (pages: AsyncIterable<CallPage>): Promise<CallPage> => {
  for await (const page of pages) return page;
  return { calls: [], next: undefined };
};

const isFiltered = ({ status, type, campaign, skill }: CallQuery): boolean =>
  [status, type, campaign, skill].some((filter) => filter !== undefined);

const matches = (call: ListedCall, { status, type, campaign, skill }: CallQuery): boolean =>
  (status === undefined || (status === 'missed' ? isMissed(call) : call.status === status)) &&
  (type === undefined || call.type === type) &&
  (campaign === undefined || call.campaignName === campaign) &&
  (skill === undefined || call.skillName === skill);

const count = ({ calls }: Tally, call: ListedCall): void => {
  const quarter = Math.floor(Date.parse(call.listedAt) / quarterMs) * quarterMs;
  const answered = isInbound(call) && call.status === 'answered' ? 1 : 3;
  calls.set(call.callId, [quarter, isMissed(call) ? 2 : answered]);
};

const quartersOf = ({ calls }: Tally): readonly Quarter[] => {
  const quarters = new Map<number, [number, number, number, number]>();
  for (const [quarter, outcome] of calls.values()) {
    const counts = quarters.get(quarter) ?? [quarter, 0, 0, 0];
    counts[outcome] += 1;
    quarters.set(quarter, counts);
  }
  return [...quarters.values()].sort(([a], [b]) => a - b);
};

/** What a delivery changed: the fields before and after it. */
export interface DeliveryChanges {
  readonly id: string;
  readonly receivedAt: string;
  readonly source: 'report' | undefined;
  readonly before: Facts;
  readonly after: Facts;
}

/** A call or participant: its facts, and how each delivery led to them. */
export interface RecordAnswer {
  readonly participantId?: string | undefined;
  readonly revision: number;
  readonly recordedAt: string;
  readonly facts: Facts;
  readonly deliveries: readonly DeliveryChanges[];
}

/** Everything about a call. */
export interface CallAnswer {
  readonly now: string;
  readonly call: RecordAnswer | undefined;
  readonly participants: readonly RecordAnswer[];
}

/** The records as they were sent, by the id of their delivery. */
export interface AsSentAnswer {
  readonly asSent: Readonly<Record<string, string>>;
}

/** Merges the deliveries one after the other, as the table did, and notes what each of them changed. */
const withChanges = (
  kind: CallRecord['key']['kind'],
  row: Call | CallParticipant,
  schema: z.core.$ZodType,
  isPersonal: boolean,
): RecordAnswer => {
  const record = recordOf({ ...row, kind, version: row.revision });
  const visible = (facts: Facts): Facts => (isPersonal ? facts : redacted(schema, facts));
  let before: Facts = {};
  const deliveries = record.deliveries.map(({ id, receivedAt, source }, index) => {
    const after = mergedFacts(record.key, record.deliveries.slice(0, index + 1));
    const fields = changedFields(before, after);
    const changes = {
      id,
      receivedAt,
      source,
      before: visible(picked(before, fields)),
      after: visible(picked(after, fields)),
    };
    before = after;
    return changes;
  });
  const { deliveries: _all, account: _account, callId: _id, revision, recordedAt, ...facts } = row;
  return {
    ...('participantId' in row && { participantId: row.participantId }),
    revision,
    recordedAt,
    facts: visible(facts),
    deliveries,
  };
};

const picked = (facts: Facts, fields: readonly string[]): Facts =>
  Object.fromEntries(fields.filter((field) => field in facts).map((field) => [field, facts[field]]));
