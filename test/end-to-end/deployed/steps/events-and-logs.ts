import { GetQueryExecutionCommand, GetQueryResultsCommand, StartQueryExecutionCommand } from '@aws-sdk/client-athena';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { eventSchemasFor } from '../../../../lib/contract/events.ts';
import { until } from '../../../support/process-tree.ts';
import { type Deployment, logLines } from '../deployment.ts';
import {
  account,
  type Event,
  personalTexts,
  recordingHost,
  type Subscriber,
  type TestContext,
} from '../test-context.ts';

const contract: Readonly<Record<string, z.ZodMiniType>> = eventSchemasFor('keep');

const expectValidEvent = (event: Event): void => {
  const schema = contract[event['detail-type']] ?? z.never();
  expect(schema.safeParse(event.detail).error, `Whether this ${event['detail-type']} matches the contract`).toBe(
    undefined,
  );
};

/** Type, subject and revision of an event, in one line. */
const summaryOf = ({ 'detail-type': type, detail }: Event): string =>
  [type, detail['callId'] ?? detail['agentId'], detail['revision'] ?? detail['version'] ?? 1].join(' ');

/** The order of events is promised only within a call or an agent. */
const bySubject = (events: readonly string[]) =>
  Object.fromEntries(
    [...Map.groupBy(events, (text) => text.split(' ').at(-2) ?? '')].sort(([one], [other]) => one.localeCompare(other)),
  );

/**
 * Waits for further events at the subscriber, and checks all events so far: each matches the contract, and they are the
 * expected ones in the order of their call or agent. Delivery is at least once, but no request to the bus fails here, so
 * no event may arrive twice; but for events of an upgrade. MiniStack ends a run of the publisher that it replaces, so the
 * next one publishes the same changes again, under the same ids.
 */
export const createEventCheck = ({ events }: Subscriber) => {
  const expected: string[] = [];
  const repeatable = new Set<string>();
  const isRepeat = (event: Event, index: number, all: readonly Event[]): boolean =>
    repeatable.has(summaryOf(event)) && all.findIndex(({ detail }) => detail.id === event.detail.id) < index;
  /** The events of calls and agents. Those of the feed tell how long the steps take: ticks are sent by hand. */
  const received = async (): Promise<readonly Event[]> =>
    (await events())
      .filter(({ 'detail-type': type }) => !type.startsWith('Agent Feed '))
      .filter((...at) => !isRepeat(...at));

  return async (further: readonly string[], { mayRepeat = false } = {}): Promise<void> => {
    expected.push(...further);
    if (mayRepeat) for (const summary of further) repeatable.add(summary);
    await until(
      `the events ${expected.join(', ')}`,
      async () => (await received()).map(summaryOf),
      ({ length }) => length >= expected.length,
    );

    const all = await received();
    for (const event of all) expectValidEvent(event);
    expect(bySubject(all.map(summaryOf)), 'The events that a subscriber got').toStrictEqual(bySubject(expected));
    expect(new Set(all.map(({ detail }) => detail.id)).size, 'The number of different ids').toStrictEqual(all.length);
  };
};

/** Throws if a log of the functions holds a key or personal data, or if there is no log. */
export const expectCleanLogs = async (context: TestContext): Promise<void> => {
  const lines = await logLines(context);

  expect(lines, 'The functions wrote logs').toContainEqual(expect.stringContaining('CallbackRecordsAccepted'));
  expect(
    lines.filter((line) => [account.apiKey, recordingHost, ...personalTexts].some((text) => line.includes(text))),
    'Lines with a key or personal data',
  ).toStrictEqual([]);
};

/** The answer of Athena to a question, without its heading. */
const ask = async ({ clients: { athena } }: TestContext, { outputs }: Deployment, sql: string) => {
  const { QueryExecutionId } = await athena.send(
    new StartQueryExecutionCommand({
      QueryString: sql,
      WorkGroup: outputs.AnalyticsWorkGroup,
      QueryExecutionContext: { Database: outputs.AnalyticsDatabase },
    }),
  );
  await until(
    'Athena answers',
    async () => (await athena.send(new GetQueryExecutionCommand({ QueryExecutionId }))).QueryExecution?.Status,
    (status) => status?.State === 'SUCCEEDED',
  );
  const { ResultSet } = await athena.send(new GetQueryResultsCommand({ QueryExecutionId }));
  return (ResultSet?.Rows ?? []).slice(1).map(({ Data = [] }) => Data.map(({ VarCharValue }) => VarCharValue));
};

/**
 * A call becomes a row of Parquet through the bus, Firehose and the function that makes rows, and Athena reads it. MiniStack
 * delivers each record at once and knows no views, so the table itself is asked.
 */
export const askAnalytics = async (context: TestContext, deployment: Deployment, callId: string): Promise<void> => {
  const rows = await until(
    `call ${callId} is in the lake`,
    () =>
      ask(context, deployment, `SELECT call_id, day, status, revision FROM call_revisions WHERE call_id = '${callId}'`),
    ({ length }) => length > 0,
  );
  expect(rows, 'The row of the call').toStrictEqual([[callId, '2026-11-20', 'answered', '1']]);

  const everything = await ask(context, deployment, 'SELECT * FROM call_revisions');
  for (const text of personalTexts) expect(JSON.stringify(everything), 'All rows').not.toContain(text);
};
