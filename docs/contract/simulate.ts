import { accountIndex } from '../../lib/accounts/account-index.ts';
import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { pollAgents } from '../../lib/agents/poll-agents.ts';
import { classifyRecords } from '../../lib/callback/classify-records.ts';
import { normaliseRecords } from '../../lib/callback/normalise-records.ts';
import { parseEnvelope } from '../../lib/callback/parse-envelope.ts';
import type { CallRecord } from '../../lib/calls/call-record.ts';
import { agentEntriesOf, rowOf } from '../../lib/calls/call-row.ts';
import { applyDeliveries } from '../../lib/calls/record-delivery.ts';
import { compare } from '../../lib/core/collections.ts';
import { sha256 } from '../../lib/core/encoding.ts';
import { fail, ok } from '../../lib/core/result.ts';
import type { BusEvent, RowChange } from '../../lib/publish/events-of-change.ts';
import { callEventOf, eventsOf } from '../../lib/publish/events-of-change.ts';
import { namedRecordings } from '../../lib/recordings/recording-keys.ts';
import { archived, asked, newRecording, recordingRow } from '../../lib/recordings/recording-row.ts';
import { RecordingMessage } from '../../lib/recordings/schema.ts';
import type { AgentTable, Row, RowKey } from '../../lib/storage/rows.ts';
import { defaultRetention } from '../../lib/storage/rows.ts';
import type { Telemetry } from '../../lib/telemetry/metrics.ts';

/** The rows of the tables and the events on the bus after a scenario. */
export interface SimulationResult {
  readonly rows: readonly Row[];
  readonly events: readonly BusEvent[];
}

/** The sandbox's account, so that posting the examples there gives the same result. */
const exampleAccount: PolledAccount = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  baseUrl: 'https://service.example',
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/** A post, and the instant of its receipt (ISO). */
export interface Post {
  readonly text: string;
  readonly receivedAt: string;
}

/** From the receipt of a post to its row. */
const writeDelayMs = 120;

/** The result of posts, one after the other, by the rules of the functions. */
export const simulatePosts = (posts: readonly Post[]): SimulationResult => {
  const records = new Map<string, CallRecord>();
  const events = posts.flatMap(({ text, receivedAt }) =>
    deliveriesIn(text, receivedAt).flatMap(({ key, delivery }) => {
      const name = JSON.stringify(key);
      const known = records.get(name);
      const recordedAt = new Date(Date.parse(receivedAt) + writeDelayMs).toISOString();
      const { record } = applyDeliveries(key, known, [delivery], recordedAt);
      records.set(name, record);
      return callEventOf({ sequence: name, before: known && storedRow(known), after: storedRow(record) }) ?? [];
    }),
  );
  return { events, rows: [...records.values()].flatMap((record) => [storedRow(record), ...agentRows(record)]) };
};

/** The rows of a call's recordings and their events, as if each had been archived a second after it was asked for. */
export const simulateRecordings = (rows: readonly Row[], askedAt: string): SimulationResult => {
  const archivedAt = new Date(Date.parse(askedAt) + 1_000).toISOString();
  const object = { bucket: 'callfeed-prod-recordings', contentType: 'audio/mpeg', sizeBytes: 961_484 };
  const changes = rows
    .filter(({ kind }) => kind === 'call')
    .flatMap((row) =>
      namedRecordings([row]).map(({ url }) => {
        const call = RecordingMessage.parse(row);
        const waiting = asked(newRecording(call, url, row, askedAt), askedAt, archivedAt);
        const stored = archived(waiting, { ...object, sha256: sha256(url).toString('hex') }, archivedAt);
        return { sequence: url, before: recordingRow(waiting), after: recordingRow(stored) };
      }),
    );
  return { rows: changes.map(({ after }) => after), events: changes.flatMap(eventsOf) };
};

const storedRow = (record: CallRecord): Row => rowOf(record, defaultRetention.callDays);

const agentRows = (record: CallRecord): readonly Row[] => agentEntriesOf(record, storedRow(record));

const deliveriesIn = (text: string, receivedAt: string) => {
  const posted = parseEnvelope({ content: { json: text }, query: {} });
  if (!posted.ok) throw new Error('An example is not JSON');

  const { redact } = accountIndex([exampleAccount]);
  const { deliveries, unrecognised } = normaliseRecords(classifyRecords(posted.value.records), {
    account: exampleAccount,
    receivedAt,
    redact,
  });
  if (unrecognised.length > 0) throw new Error('An example is neither a call nor a participant');
  return deliveries;
};

/** An agents' table for one poller, which has no conflicts, with the changes that its stream would have. */
export interface MemoryTable extends AgentTable {
  readonly all: () => readonly Row[];
  readonly changes: () => readonly RowChange[];
}

const nameOf = ({ pk, sk }: RowKey): string => `${pk} ${sk}`;

const memoryTable = (): MemoryTable => {
  const stored = new Map<string, Row & RowKey>();
  const changes: RowChange[] = [];

  const change = (key: RowKey, after: (Row & RowKey) | undefined): void => {
    const before = stored.get(nameOf(key));
    if (after === undefined) stored.delete(nameOf(key));
    else stored.set(nameOf(key), after);
    changes.push({ sequence: String(changes.length), before, after });
  };
  const put = (rows: readonly (Row & RowKey)[]) => rows.forEach((row) => void change(row, row));
  const remove = (keys: readonly RowKey[]) => keys.forEach((key) => void change(key, undefined));

  return {
    query: async (pk, { from, to } = { from: '', to: '\uffff' }) =>
      [...stored.values()]
        .filter((row) => row.pk === pk && from <= row.sk && row.sk <= to)
        .sort((a, b) => compare(a.sk, b.sk)),
    async write(row, alongside) {
      put([row, ...(alongside?.puts ?? [])]);
      remove(alongside?.removes ?? []);
      return 'written';
    },
    put: async (rows) => put(rows),
    remove: async (keys) => remove(keys),
    all: () => [...stored.values()],
    changes: () => changes,
  };
};

/** The answer of the service to a poll: the logged-in agents. */
export type PollAnswer = readonly object[] | 'no-answer';

/** An account is polled once in each slot. */
const slotMs = 15_000;

const throwingTelemetry: Telemetry = { count: () => undefined, measure: () => undefined, fault: rethrow };

/** The result of polls from an instant on, one in each slot, by the rules of the function. */
export const simulatePolls = async (from: string, answers: readonly PollAnswer[]): Promise<SimulationResult> => {
  const table = memoryTable();
  const accounts = accountIndex([exampleAccount]);
  let nowMs = Date.parse(from);
  let answer: PollAnswer = [];

  const poll = pollAgents({
    table,
    clock: () => new Date(nowMs),
    pause: async (milliseconds) => {
      nowMs += milliseconds;
    },
    telemetry: throwingTelemetry,
    retention: defaultRetention,
    accounts: { current: async () => accounts, refresh: async () => accounts },
    service: {
      post: async () =>
        answer === 'no-answer'
          ? fail({ reason: 'connection' })
          : ok({ status: 200, text: JSON.stringify({ status: 'success', message: answer }) }),
    },
  });
  for (const [slot, next] of answers.entries()) {
    nowMs = Date.parse(from) + slot * slotMs;
    answer = next;
    await poll();
  }
  return { rows: table.all(), events: table.changes().flatMap(eventsOf) };
};

function rethrow(_where: string, error: unknown): never {
  throw error;
}
