import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../cdk/constructs/function-code.ts';
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
import { callNumbered } from '../functions.ts';
import { bundle, ownSettings } from '../lambda/lambda-process.ts';
import { bundledPeers, peersAsDeployed, plain, powertools } from '../peers/peers.ts';
import type * as bareArchiver from './bare-archiver.ts';
import type * as bareFunctions from './bare-functions.ts';

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

export const environmentOf = (awsUrl: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: awsUrl,
  CALLS_TABLE: 'calls',
  QUARANTINE_TABLE: 'quarantine',
  AGENTS_TABLE: 'agents',
  PARKING_QUEUE_URL: `${awsUrl}/000000000000/parking`,
  RECONCILE_QUEUE_URL: `${awsUrl}/000000000000/reconciliation`,
  FORWARD_QUEUE_URL: `${awsUrl}/000000000000/forwarding.fifo`,
  RECORDINGS_BUCKET: 'recordings',
  RECORDINGS_QUEUE_URL: `${awsUrl}/000000000000/recordings`,
  RECORDINGS_DEAD_LETTERS_URL: `${awsUrl}/000000000000/recordings-dead-letters`,
  RECORDING_HOSTS: 'recordings.example.com',
  BUS_NAME: 'callfeed',
  ACCOUNTS_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:accounts',
});

/** The requests that each bundle sent when it was started last, by its name. */
export type SentByName = ReadonlyMap<string, bareFunctions.SentRequests['requests']>;

export interface MeasuredBundle {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  /** The function that it is, or whose work it does. */
  readonly of: MeasuredFunction;
  environment(awsUrl: string): Readonly<Record<string, string>>;
  /** Its first event; for clients alone, the requests of the function that they belong to. */
  event(sent: SentByName): unknown;
  /** An event like the first, for another run, where such a run is the usual one. */
  readonly nextEvent?: (number: number) => unknown;
  /** The name of the bundle that it is compared with. */
  readonly comparedWith?: string;
}

export const receiver = 'receive-callback';

const withOurSettings = (peer: string): string => `peer: ${peer}`;
const asDeployed = (peer: string): string => `${peer}, as CDK bundles it`;

/** The receiver that a team writes, and the one that validates, as ours does: bundled as ours is, and as CDK does it. */
export const peerNames = {
  plain: withOurSettings(plain.name),
  powertools: withOurSettings(powertools.name),
  plainAsDeployed: asDeployed(plain.name),
  powertoolsAsDeployed: asDeployed(powertools.name),
};

const clientsName = (name: MeasuredFunction): string => `${name}: AWS clients alone`;

const nextCallback = (number: number): unknown => httpApiEvent({ body: formOf(callNumbered(number)) });

const nextEvents: Readonly<Partial<Record<MeasuredFunction, (number: number) => unknown>>> = {
  'receive-callback': nextCallback,
  'publish-changes': newRow,
  'recover-callbacks': firstEvent['recover-callbacks'],
};

const functionIn = async (name: MeasuredFunction, folder: string): Promise<MeasuredBundle> => {
  const bundled = await bundle(join('functions', name, 'index.ts'), join(folder, name));
  const nextEvent = nextEvents[name];
  return {
    name,
    of: name,
    environment: environmentOf,
    event: firstEvent[name],
    ...bundled,
    ...(nextEvent && { nextEvent }),
    comparedWith: name === receiver ? peerNames.plain : clientsName(name),
  };
};

type BareName = keyof typeof bareFunctions | keyof typeof bareArchiver;

const bareNames: Readonly<Record<MeasuredFunction, BareName>> = {
  'receive-callback': 'receiver',
  'publish-changes': 'publisher',
  'recover-callbacks': 'recovery',
  'poll-agents': 'poller',
  'reconcile-calls': 'reconciler',
  'forward-deliveries': 'forwarder',
  'archive-recordings': 'archiver',
};

const bundleBare = (name: BareName, folder: string, settingsOf?: string) => {
  const entry = join(folder, 'entry.ts');
  const file = name === 'archiver' ? 'bare-archiver.ts' : 'bare-functions.ts';
  const module = JSON.stringify(join(projectRoot, 'bench/start', file));
  mkdirSync(folder);
  writeFileSync(entry, `import { ${name} } from ${module};\nexport const handler = ${name}();\n`);
  return bundle(entry, folder, ownSettings(settingsOf ?? entry));
};

/** The same AWS clients as the function has, and no other code. */
export const clientsIn = async (name: MeasuredFunction, folder: string) => {
  const bundled = await bundleBare(bareNames[name], join(folder, `bare-${name}`), join('functions', name, 'index.ts'));
  const event = (sent: SentByName): bareFunctions.SentRequests => {
    const requests = sent.get(name);
    if (requests === undefined || requests.length === 0)
      throw new Error(`${name} has to be started first, and to send requests: its clients send the same.`);
    return { requests };
  };
  return { name: clientsName(name), of: name, environment: environmentOf, event, ...bundled };
};

/**
 * Bundles into `folder` an empty handler, our functions, their AWS clients alone, and the peers, all with our settings; and the
 * peers as they are deployed. What is compared comes one after the other, as the speed of a machine changes within seconds.
 */
export const measuredBundles = async (folder: string) => {
  const event = firstEvent[receiver];
  const ofReceiver = { of: receiver, event, nextEvent: nextCallback } as const;
  const empty = {
    name: 'empty handler',
    environment: () => ({}),
    ...(await bundleBare('empty', join(folder, 'empty'))),
  };
  const bundled = await bundledPeers(folder, { of: [plain, powertools] });
  const peers = bundled.map(({ peer, receiver }) => ({
    ...ofReceiver,
    ...receiver,
    name: withOurSettings(peer.name),
  }));
  const deployed = (await peersAsDeployed(folder)).map(({ name, ...peer }) => ({
    ...ofReceiver,
    ...peer,
    name: asDeployed(name),
  }));
  const functions = await Promise.all(functionNames.map((name) => functionIn(name, folder)));
  const clients = await Promise.all(functionNames.map((name) => clientsIn(name, folder)));
  const pairs = functions.flatMap((ours) => [ours, ...clients.filter(({ of }) => of === ours.of)]);
  return {
    withOurSettings: [{ ...ofReceiver, ...empty }, ...peers.toReversed(), ...pairs] as readonly MeasuredBundle[],
    asDeployed: [...deployed, ...peers.toReversed(), ...functions] as readonly MeasuredBundle[],
  };
};
