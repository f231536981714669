import { marshalled } from '../../functions/adapters/marshalling.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import type { Parked } from '../../lib/callback/parked.ts';
import { deliveryOf } from '../../lib/record/delivery.ts';
import { admit, type RecordKey } from '../../lib/record/record.ts';
import { rowOf } from '../../lib/record/row.ts';
import { lambdaRecord } from '../../sandbox/stream/lambda-record.ts';
import { formOf, httpApiEvent } from '../../test/support/http-api-event.ts';
import { callNumbered } from '../peers/callbacks.ts';

const at = '2026-11-20T06:00:00.000Z';
const key: RecordKey = { kind: 'call', account: 'demo', callId: '41781234000000001', part: 'main' };
const delivery = deliveryOf({ status: 'answered', startedAt: at, timeZone: 'Asia/Kolkata', agentIds: ['asha'] }, at);

const row = marshalled(rowOf(admit(key, undefined, delivery, at).record, 730));
const change = { SequenceNumber: '000000000000000000001', NewImage: row, ApproximateCreationDateTime: new Date(at) };
const parked: Parked = { kind: 'delivery', key, delivery };

const message = (body: string) => ({ messageId: '1', body, attributes: { SentTimestamp: String(Date.now()) } });

/** A piece of usual work for each function, as AWS hands it over: a new call, a change of a row, a parked call, a tick. */
export const firstEvent: Readonly<Record<FunctionName, () => unknown>> = {
  'receive-callback': () => httpApiEvent({ body: formOf(callNumbered(1)) }),
  'publish-changes': () => ({ Records: [lambdaRecord({ eventName: 'INSERT', dynamodb: change }, 'stream')] }),
  'recover-callbacks': () => ({ Records: [message(JSON.stringify(parked))] }),
  'poll-agents': () => ({ Records: [message('tick')] }),
};
