import { describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
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

  it('writes the greatest measured value, zero too, in the metric’s unit', () => {
    const { lines, telemetry } = setUp();
    telemetry.measure(feedAge, 0);
    for (const seconds of [0.25, 3, 0]) telemetry.measure(silence, seconds);
    telemetry.count(published, 3);

    telemetry.flush();
    telemetry.flush();

    expect(lines).toHaveLength(1);
    const [line] = lines.map((text) => JSON.parse(text));
    expect(line).toMatchObject({ FeedAgeSeconds: 0, CallbackSilenceSeconds: 3, EventsPublished: 3 });
    expect(line._aws.CloudWatchMetrics[0].Metrics).toEqual([
      { Name: 'FeedAgeSeconds', Unit: 'Seconds' },
      { Name: 'CallbackSilenceSeconds', Unit: 'Seconds' },
      { Name: 'EventsPublished', Unit: 'Count' },
    ]);
  });

  it('writes a count of zero, which an alarm may need, and adds to it', () => {
    const { lines, telemetry } = setUp();
    telemetry.count(published, 0);
    telemetry.count(skipped, 0);
    telemetry.count(skipped);

    telemetry.flush();

    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ EventsPublished: 0, RowsSkipped: 1 }]);
  });

  it('writes nothing if nothing was counted or measured', () => {
    const { lines, telemetry } = setUp();
    telemetry.flush();

    expect(lines).toEqual([]);
  });

  it('reports a fault by place and name, without a library’s message, which may hold data', () => {
    const { lines, telemetry } = setUp();

    telemetry.fault('call-store', new TypeError('customer 09000000042'));

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', where: 'call-store', error: 'TypeError' });
    expect(lines.join()).not.toContain('09000000042');
  });

  it('reports a fault with our own message', () => {
    const { lines, telemetry } = setUp();

    const now = new Date().toISOString();

    telemetry.fault('parking', loggableError('The parking queue rejected 1 of 2 messages'));

    const { timestamp, detail } = JSON.parse(lines[0] ?? '');
    expect(detail).toBe('The parking queue rejected 1 of 2 messages');
    expect([now, timestamp, new Date().toISOString()].toSorted()[1]).toBe(timestamp);
  });

  it('reports a thrown value that is no error by its type', () => {
    const { lines, telemetry } = setUp();

    telemetry.fault('bus', 'text');

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: 'string' });
  });
});
