import { describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { composeTransform } from '../../../functions/transform-events/app.ts';
import { tables } from '../../../functions/transform-events/tables.ts';
import { lambdaContext } from '../../../sandbox/functions.ts';
import { everyEvent, firehoseEvent } from '../../support/every-event.ts';

/** What the function answers for some events, and everything that it writes. */
const transformed = async (events: readonly unknown[]) => {
  const lines: string[] = [];
  const telemetry = jsonTelemetry({ function: 'transform-events', deployment: 'test' }, (line) => lines.push(line));
  const transform = composeTransform({ telemetry });
  const { records } = await transform(firehoseEvent(events), lambdaContext('transform-events', 60_000));
  return { records, output: lines.join('') };
};

const inZone = (timeZone: string) => ({
  ...{ schemaVersion: 1, id: '1', account: 'demo', callId: '1', revision: 1, call: { timeZone } },
  ...{ occurredAt: '2026-11-20T10:00:00.000Z', recordedAt: '2026-11-20T10:00:00.000Z' },
});

const onBus = async () =>
  (await everyEvent('keep')).map(({ type, detail }) => ({ 'detail-type': type, source: 'callfeed', detail }));

describe('the function that makes rows of events', () => {
  it('makes a row of each event of a table with the day of its partition, and drops the others', async () => {
    const events = await onBus();
    const { records } = await transformed(events);
    const ofTables: readonly string[] = Object.values(tables).flatMap(({ events }) => events);

    expect(records.map(({ recordId }) => recordId)).toEqual(events.map((_, index) => String(index)));
    expect(records.map(({ result }) => result)).toEqual(
      events.map((event) => (ofTables.includes(event['detail-type']) ? 'Ok' : 'Dropped')),
    );
    for (const { metadata } of records.filter(({ result }) => result === 'Ok'))
      expect(metadata).toEqual({ partitionKeys: { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } });
  });

  it('makes the columns of the row as a line of JSON, with timestamps that Firehose reads', async () => {
    const [event] = await onBus();
    const { records } = await transformed([event]);
    const line = Buffer.from(records[0]?.data ?? '', 'base64').toString();

    expect(line).toMatch(/^\{.+\}\n$/);
    expect(JSON.parse(line)).toMatchObject({
      revision: 1,
      recorded_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
    });
  });

  it.each([
    ['no JSON', 'SECRET 09000000042', 'detail-type'],
    ['an unknown type', { 'detail-type': 'SECRET', detail: {} }, 'detail-type'],
    ['no detail', { 'detail-type': 'Call Summary Recorded', detail: 'SECRET' }, 'detail'],
    ['wrong fields', { 'detail-type': 'Call Summary Recorded', detail: { callId: 'SECRET', call: [] } }, 'account'],
    ['an unknown zone', { 'detail-type': 'Call Summary Recorded', detail: inZone('Mars/SECRET') }, 'wrong: call'],
  ])('sends %s to the error prefix, and logs what is wrong but nothing of it', async (_what, event, named) => {
    const [good] = await onBus();
    const { records, output } = await transformed([event, good]);

    expect(records.map(({ result }) => result)).toEqual(['ProcessingFailed', 'Ok']);
    expect(output).toContain(named);
    expect(output).not.toMatch(/SECRET|09000000042/);
  });
});
