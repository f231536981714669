import type { Context, SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { createRecoverHandler } from '../../../functions/recover-callbacks/app.ts';
import { recoverParked } from '../../../lib/callback/recover-parked.ts';
import { specificationSummary as summary } from '../../fixtures/calls.ts';
import { type Receiver, startReceiver } from '../../support/deployed-receiver.ts';
import { formOf } from '../../support/http-api-event.ts';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.stop());

const recover = (...bodies: string[]) => {
  const telemetry = jsonTelemetry({ function: 'recover-callbacks', deployment: 'test' }, (line) =>
    receiver.log.push(line),
  );
  const handler = createRecoverHandler({ telemetry, recover: recoverParked({ telemetry, ...receiver.stores }) });
  const Records = bodies.map((body, index) => ({ messageId: String(index), body }));
  return handler({ Records } as SQSEvent, {} as Context);
};

describe('recover-callbacks', () => {
  it('stores parked callbacks as of their receipt; each message fails alone', async () => {
    receiver.down.add('calls').add('quarantine');
    await receiver.answer({ body: formOf([summary, 'odd']) });
    receiver.down.clear();

    const answer = await recover('no message of ours', ...receiver.parked.map((item) => JSON.stringify(item)));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
    expect(await receiver.calls()).toMatchObject([{ firstReceivedAt: '2026-11-20T06:00:00.000Z', revision: 1 }]);
    expect(await receiver.quarantined()).toMatchObject([{ reason: 'not-an-object', account: 'demo' }]);
  });

  it('leaves messages in the queue that still cannot be stored', async () => {
    receiver.down.add('calls');
    await receiver.answer({ body: formOf({ ...summary, monitorUCID: '5' }) });

    const answer = await recover(JSON.stringify(receiver.parked.at(-1)));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  });
});
