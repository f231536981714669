import type { Context, SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { createReconcileHandler } from '../../../functions/reconcile-calls/app.ts';

it('tries messages again that fail, each alone, and drops those that it cannot read', async () => {
  const log: string[] = [];
  const handler = createReconcileHandler({
    telemetry: jsonTelemetry({ function: 'reconcile-calls', deployment: 'test' }, (line) => log.push(line)),
    reconcile: async ({ kind }) => {
      if (kind === 'start') throw new Error('SENTINEL');
    },
  });
  const bodies = ['{"kind":"all"}', '{"kind":"start","account":"demo","run":"1"}', '{"kind":"SENTINEL"}', 'SENTINEL'];
  const Records = bodies.map((body, index) => ({ messageId: String(index), body }));

  expect(await handler({ Records } as SQSEvent, {} as Context)).toEqual({
    batchItemFailures: [{ itemIdentifier: '1' }],
  });
  expect(log.filter((line) => line.includes('"level":"error"'))).toHaveLength(3);
  expect(log.join()).not.toContain('SENTINEL');
});
