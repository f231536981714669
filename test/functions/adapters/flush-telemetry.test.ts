import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { flushTelemetry } from '../../../functions/adapters/flush-telemetry.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';

describe('flushTelemetry', () => {
  it.each([
    ['succeeded', async () => 'done'],
    ['failed', async () => Promise.reject(new Error('failed'))],
  ])('writes the metrics of an invocation that %s', async (_title, work) => {
    const lines: string[] = [];
    const telemetry = jsonTelemetry('test', (line) => lines.push(line));
    const handler = middy<object, string>()
      .use(flushTelemetry(telemetry))
      .handler(async () => {
        telemetry.count('EventsPublished');
        return work();
      });

    await Promise.allSettled([handler({}, {} as Context)]);

    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ EventsPublished: 1 });
  });
});
