import { describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { tellable } from '../../../lib/tellable.ts';

const setUp = () => {
  const lines: string[] = [];
  return { lines, telemetry: jsonTelemetry('receive-callback', (line) => lines.push(line)) };
};

describe('jsonTelemetry', () => {
  it('writes what an invocation counted as one line of embedded metrics', () => {
    const { lines, telemetry } = setUp();
    telemetry.count('CallbackRecordsStored', 2);
    telemetry.count('CallbackRecordsStored');
    telemetry.count('CallbacksRefused', 0);

    telemetry.flush();
    telemetry.flush();

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'Callfeed',
              Dimensions: [['function']],
              Metrics: [{ Name: 'CallbackRecordsStored', Unit: 'Count' }],
            },
          ],
        },
        function: 'receive-callback',
        CallbackRecordsStored: 3,
      },
    ]);
  });

  it('tells a fault by place and name, not by a library’s message, which may hold data', () => {
    const { lines, telemetry } = setUp();

    telemetry.fault('call-store', new TypeError('customer 09000000042'));

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', where: 'call-store', error: 'TypeError' });
    expect(lines.join()).not.toContain('09000000042');
  });

  it('tells a fault in our own words where there are some', () => {
    const { lines, telemetry } = setUp();

    telemetry.fault('parking', tellable('The parking queue refused 1 of 2 messages'));

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ detail: 'The parking queue refused 1 of 2 messages' });
  });

  it('tells something that is no error by its type', () => {
    const { lines, telemetry } = setUp();

    telemetry.fault('bus', 'text');

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: 'string' });
  });
});
