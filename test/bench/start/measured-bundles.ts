import { join } from 'node:path';
import { marshalled } from '../../../functions/adapters/marshalling.ts';
import type { FunctionName } from '../../../functions/timeouts.ts';
import type { Parked } from '../../../lib/callback/parked.ts';
import { applyDelivery, type RecordKey } from '../../../lib/calls/call-record.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';
import { deliveryOf } from '../../../lib/calls/delivery.ts';
import { lambdaRecord } from '../../../sandbox/stream/lambda-record.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { callNumbered } from '../examples.ts';
import { bundle } from '../lambda/bundle.ts';
import { bundledPeers } from '../peers/peers.ts';

const at = '2026-11-20T06:00:00.000Z';
const key: RecordKey = { kind: 'call', account: 'demo', callId: '41781234000000001', part: 'main' };
const delivery = deliveryOf({ status: 'answered', startedAt: at, timeZone: 'Asia/Kolkata', agentIds: ['asha'] }, at);

const row = marshalled(rowOf(applyDelivery(key, undefined, delivery, at).record, 730));
const change = { SequenceNumber: '000000000000000000001', NewImage: row, ApproximateCreationDateTime: new Date(at) };
const parked: Parked = { kind: 'delivery', key, delivery };

const message = (body: string) => ({ messageId: '1', body, attributes: { SentTimestamp: String(Date.now()) } });

/** A usual event for each function: a new call, a change of a row, a parked call, a tick. */
const firstEvent: Readonly<Record<FunctionName, () => unknown>> = {
  'receive-callback': () => httpApiEvent({ body: formOf(callNumbered(1)) }),
  'publish-changes': () => ({ Records: [lambdaRecord({ eventName: 'INSERT', dynamodb: change }, 'stream')] }),
  'recover-callbacks': () => ({ Records: [message(JSON.stringify(parked))] }),
  'poll-agents': () => ({ Records: [message('tick')] }),
};

/** A bundle to start, and its first event. */
export interface MeasuredBundle {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  environment(awsUrl: string): Readonly<Record<string, string>>;
  event(): unknown;
  /** The name of the bundle that it is compared with: its AWS clients and nothing else. */
  readonly bare?: string;
}

const functionNames: readonly FunctionName[] = [
  'receive-callback',
  'publish-changes',
  'recover-callbacks',
  'poll-agents',
];

/** The environment variables of all our functions. */
const environmentOf = (awsUrl: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: awsUrl,
  CALLS_TABLE: 'calls',
  QUARANTINE_TABLE: 'quarantine',
  AGENTS_TABLE: 'agents',
  PARKING_QUEUE_URL: `${awsUrl}/000000000000/parking`,
  BUS_NAME: 'callfeed',
  ACCOUNTS_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:accounts',
});

const functionIn = async (name: FunctionName, folder: string): Promise<readonly MeasuredBundle[]> => {
  const bare = `${name}: AWS clients alone`;
  const same = { environment: environmentOf, event: firstEvent[name] };
  return [
    { name, bare, ...same, ...(await bundle(join('functions', name, 'index.ts'), join(folder, name))) },
    { name: bare, ...same, ...(await bundle(join('test/bench/start/bare', `${name}.ts`), join(folder, 'bare', name))) },
  ];
};

/** Bundles into `folder` an empty handler, our functions, their AWS clients alone, and the peers. */
export const measuredBundles = async (folder: string): Promise<readonly MeasuredBundle[]> => {
  const event = firstEvent['receive-callback'];
  const empty = await bundle('test/bench/start/empty.ts', join(folder, 'empty'));
  const functions = await Promise.all(functionNames.map((name) => functionIn(name, folder)));
  const [, ...peers] = await bundledPeers(folder);
  return [
    { name: 'empty handler', environment: () => ({}), event, ...empty },
    ...functions.flat(),
    ...peers.map(({ peer, receiver }) => ({ name: `peer: ${peer.name}`, event, ...receiver })),
  ];
};
