import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { jsonTelemetry, runSettings } from '../../../functions/adapters/json-telemetry.ts';
import { loggableError } from '../../../lib/core/result.ts';
import { counter, gauge } from '../../../lib/telemetry/metrics.ts';

const accepted = counter('CallbackRecordsAccepted');
const published = counter('EventsPublished');
const skipped = counter('RowsSkipped');
const feedAge = gauge('FeedAgeSeconds');
const silence = gauge('CallbackSilenceSeconds');

const setUp = () => {
  const lines: string[] = [];
  return {
    lines,
    telemetry: jsonTelemetry({ function: 'receive-callback', deployment: 'callfeed-test' }, (line) => lines.push(line)),
  };
};

describe('jsonTelemetry', () => {
  it('writes the counts of an invocation as one line of embedded metrics', () => {
    const { lines, telemetry } = setUp();
    telemetry.count(accepted, 2);
    telemetry.count(accepted);
    const now = Date.now();

    telemetry.flush();
    telemetry.flush();

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          // CloudWatch reads milliseconds since the epoch: seconds would be a day in January 1970.
          Timestamp: expect.toSatisfy((ms: number) => now <= ms && ms <= Date.now()),
          CloudWatchMetrics: [
            {
              Namespace: 'Callfeed',
              Dimensions: [['deployment']],
              Metrics: [{ Name: 'CallbackRecordsAccepted', Unit: 'Count' }],
            },
          ],
        },
        deployment: 'callfeed-test',
        function: 'receive-callback',
        CallbackRecordsAccepted: 3,
      },
    ]);
  });

  it('writes the greatest measured value and counts, zero too, which an alarm may need, in the metric’s unit', () => {
    const { lines, telemetry } = setUp();
    telemetry.measure(feedAge, 0);
    for (const seconds of [0.25, 3, 0]) telemetry.measure(silence, seconds);
    telemetry.count(published, 0);
    telemetry.count(skipped, 0);
    telemetry.count(skipped);

    telemetry.flush();
    telemetry.flush();

    expect(lines).toHaveLength(1);
    const [line] = lines.map((text) => JSON.parse(text));
    expect(line).toMatchObject({ FeedAgeSeconds: 0, CallbackSilenceSeconds: 3, EventsPublished: 0, RowsSkipped: 1 });
    expect(line._aws.CloudWatchMetrics[0].Metrics).toEqual([
      { Name: 'FeedAgeSeconds', Unit: 'Seconds' },
      { Name: 'CallbackSilenceSeconds', Unit: 'Seconds' },
      { Name: 'EventsPublished', Unit: 'Count' },
      { Name: 'RowsSkipped', Unit: 'Count' },
    ]);
  });

  it('writes nothing if nothing was counted or measured', () => {
    const { lines, telemetry } = setUp();
    telemetry.flush();

    expect(lines).toEqual([]);
  });

  it('leaves the end of a run to Lambda, also where no time is left', async () => {
    const { telemetry } = setUp();
    const run = middy(runSettings(telemetry)).handler(() => new Promise((resolve) => setTimeout(resolve, 50, 'done')));

    expect(await run({}, { getRemainingTimeInMillis: () => 0 } as Context)).toBe('done');
  });

  it.each<[string, unknown, object]>([
    ['of a library by its name, as its message may hold data', new TypeError('09000000042'), { error: 'TypeError' }],
    ['with our own message', loggableError('The queue rejected 1'), { error: 'Error', detail: 'The queue rejected 1' }],
    ['that is no error by its type', 'text', { error: 'string' }],
  ])('reports a fault %s', (_title, fault, shown) => {
    const { lines, telemetry } = setUp();
    const now = new Date().toISOString();
    telemetry.fault('call-store', fault);

    const { timestamp, ...line } = JSON.parse(lines[0] ?? '');
    expect([now, timestamp, new Date().toISOString()].toSorted()[1]).toBe(timestamp);
    expect(line).toMatchObject({ level: 'error', where: 'call-store', ...shown });
    expect(lines.join()).not.toContain('09000000042');
  });
});
