import { dynamoAgentTable } from '../../functions/adapters/dynamo-agent-table.ts';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import type { Form, Posted } from '../../lib/callback/parse-envelope.ts';
import type { QuarantineEntry } from '../../lib/callback/schema.ts';
import type { Quarantine } from '../../lib/callback/store-or-park.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { recordDelivery } from '../../lib/calls/record-delivery.ts';
import type { BusEvent, EventBus } from '../../lib/publish/events-of-change.ts';
import { type AgentTable, type Row, unmarshalled } from '../../lib/storage/rows.ts';
import type { FaultSource, Telemetry } from '../../lib/telemetry/metrics.ts';
import { memoryDynamodb } from '../deployment/memory-dynamodb.ts';
import { awsClients } from '../support/aws-clients.ts';
import { recordedAt } from './posted-records.ts';

/** Longer than a busy machine takes. */
const deadlineMs = 60_000;

type OnChange = (before: Row | undefined, after: Row | undefined) => void;

/** A client of tables in memory, and their rows. */
const memoryTables = (onChange: OnChange = () => undefined) => {
  const { handle, items } = memoryDynamodb(({ before, after }) =>
    onChange(before && unmarshalled(before), after && unmarshalled(after)),
  );
  return {
    client: awsClients(() => handle).dynamodb,
    rowsOf: (table: string): readonly Row[] => items(table).map(unmarshalled),
  };
};

/** The agents' table as deployed, over DynamoDB in memory. `onCall` is called before and after each call. */
export const memoryAgentTable = (onCall: (when: string) => unknown = () => undefined) => {
  const { client, rowsOf } = memoryTables();
  const deployed = dynamoAgentTable({ client, tableName: 'agents', deadlineMs });
  const around = async <Answer>(call: string, answer: () => Promise<Answer>): Promise<Answer> => {
    await onCall(`before ${call}`);
    const answered = await answer();
    await onCall(`after ${call}`);
    return answered;
  };
  const table: AgentTable = {
    query: (pk, between) => around('query', () => deployed.query(pk, between)),
    write: (row, alongside) => around('write', () => deployed.write(row, alongside)),
    put: (rows) => around('put', () => deployed.put(rows)),
    remove: (keys) => around('remove', () => deployed.remove(keys)),
  };
  return { ...table, client, all: () => rowsOf('agents') };
};

/** The calls' table as deployed, over DynamoDB in memory. `onChange` sees each change of a row, as the stream would. */
export const memoryVersionedRows = (onChange?: OnChange) => {
  const { client, rowsOf } = memoryTables(onChange);
  return {
    ...dynamoVersionedRows(client, 'calls'),
    /** The rows whose key matches, by partition and sort key. */
    select: (matches: (key: { readonly pk: string; readonly sk: string }) => boolean = () => true): readonly Row[] =>
      rowsOf('calls').filter(({ pk, sk }) => matches({ pk: String(pk), sk: String(sk) })),
  };
};

/** A clock that moves only when a test advances it. */
export const manualClock = (from: string) => {
  let nowMs = Date.parse(from);
  return {
    clock: () => new Date(nowMs),
    now: () => nowMs,
    advance(ms: number) {
      nowMs += ms;
    },
  };
};

/** A dependency that is down. Its message holds data that must not be logged. */
export const unavailable = async (): Promise<never> => {
  throw Object.assign(new Error('SENTINEL data of a row'), { name: 'TimeoutError' });
};

/** A calls' table in memory. */
export const memoryCallStore = () => {
  const rows = memoryVersionedRows();
  return {
    record: recordDelivery({ rows, retentionDays: 730, clock: () => new Date(recordedAt) }),
    records: () => rows.select(({ pk }) => !pk.endsWith('#agents')).map(recordOf),
  };
};

/** A quarantine in memory. */
export const memoryQuarantine = () => {
  const entries: QuarantineEntry[] = [];
  const quarantine: Quarantine = {
    async store(entry) {
      entries.push(entry);
    },
  };
  return { ...quarantine, entries };
};

/** Telemetry that records counts, measures and faults. */
export const recordingTelemetry = () => {
  const counts: Record<string, number> = {};
  const measured: Record<string, number[]> = {};
  const faults: (readonly [FaultSource, unknown])[] = [];
  const telemetry: Telemetry = {
    count({ name }, by = 1) {
      counts[name] = (counts[name] ?? 0) + by;
    },
    measure({ name }, value) {
      measured[name] = [...(measured[name] ?? []), value];
    },
    fault(where, error) {
      faults.push([where, error]);
    },
  };
  return { ...telemetry, counts, measured, faults, places: () => faults.map(([where]) => where) };
};

/** A bus that records each call, and accepts the events for which `accepts` is true. */
export const recordingBus = (accepts: (event: BusEvent) => boolean = () => true) => {
  const calls: (readonly BusEvent[])[] = [];
  const bus: EventBus = {
    async publish(events) {
      calls.push(events);
      return events.map(accepts);
    },
  };
  return { ...bus, calls, sent: () => calls.flat().filter(accepts) };
};

/** A deadline that no test should reach. */
export const generousDeadline = (): AbortSignal => AbortSignal.timeout(50_000);

/** A post as in the specification: one form field `data` with JSON. */
export const formPost = (data: unknown, beside: Form = {}): Posted => ({
  content: { form: { data: typeof data === 'string' ? data : JSON.stringify(data), ...beside } },
  query: {},
});
