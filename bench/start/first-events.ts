import type { FunctionName } from '../../functions/limits.ts';
import type { StorableItem } from '../../lib/callback/schema.ts';
import type { RecordKey } from '../../lib/calls/call-record.ts';
import { rowOf } from '../../lib/calls/call-row.ts';
import { applyDeliveries } from '../../lib/calls/record-delivery.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { lambdaRecord } from '../../sandbox/stream/shard.ts';
import { formOf, httpApiEvent } from '../../test/support/local-servers.ts';
import { deliveryAt } from '../../test/support/posted-records.ts';
import { callNumbered } from '../sample-posts.ts';

/** A function whose start is measured. `transform-events` calls no service, and nobody waits for it. */
export type MeasuredFunction = Exclude<FunctionName, 'transform-events'>;

const at = '2026-11-20T06:00:00.000Z';
const key: RecordKey = { kind: 'call', account: 'demo', callId: '41781234000000001' };
const delivery = deliveryAt({ status: 'answered', startedAt: at, timeZone: 'Asia/Kolkata', agentIds: ['asha'] }, at);
const parked: StorableItem = { kind: 'delivery', key, delivery };

/** The row of a new call, with another id for each number. */
const newRow = (number = 1) => {
  const ofCall = { ...key, callId: `4178123400000${String(number).padStart(4, '0')}` };
  const NewImage = marshalled(rowOf(applyDeliveries(ofCall, undefined, [delivery], at).record, 730));
  const change = { SequenceNumber: String(number).padStart(21, '0'), NewImage };
  const dynamodb = { ...change, ApproximateCreationDateTime: new Date(at) };
  return { Records: [lambdaRecord({ eventName: 'INSERT', dynamodb }, 'stream')] };
};

const message = (body: string) => ({
  Records: [{ messageId: '1', body, attributes: { SentTimestamp: String(Date.now()) } }],
});

export const firstEvent: Readonly<Record<MeasuredFunction, () => unknown>> = {
  'receive-callback': () => httpApiEvent({ body: formOf(callNumbered(1)) }),
  'publish-changes': () => newRow(),
  'recover-callbacks': () => message(JSON.stringify(parked)),
  'poll-agents': () => message('tick'),
  'reconcile-calls': () => message('{"kind":"all"}'),
  'forward-deliveries': () => newRow(),
  'archive-recordings': () => message('{"account":"demo","callId":"1"}'),
};

export const functionNames = keysOf(firstEvent);

export const nextCallback = (number: number): unknown => httpApiEvent({ body: formOf(callNumbered(number)) });

export const nextEvents: Readonly<Partial<Record<MeasuredFunction, (number: number) => unknown>>> = {
  'receive-callback': nextCallback,
  'publish-changes': newRow,
  'recover-callbacks': firstEvent['recover-callbacks'],
};
