import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../cdk/constructs/function-code.ts';
import { bundle, ownSettings } from '../lambda/lambda-process.ts';
import { bundledPeers, peersAsDeployed, plain, powertools } from '../peers/peers.ts';
import type * as bareArchiver from './bare-archiver.ts';
import type * as bareFunctions from './bare-functions.ts';
import { firstEvent, functionNames, type MeasuredFunction, nextCallback, nextEvents } from './first-events.ts';

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
  readonly functionName: MeasuredFunction;
  environment(awsUrl: string): Readonly<Record<string, string>>;
  /** Its first event; for clients alone, the requests of the function that they belong to. */
  event(sent: SentByName): unknown;
  /** An event like the first, for another run, where such a run is the usual one. */
  readonly nextEvent?: (number: number) => unknown;
  /** The name of the bundle that it is compared with. */
  readonly comparedWith?: string;
}

export const receiver = 'receive-callback';

const nameWithOurSettings = (peer: string): string => `peer: ${peer}`;
const nameAsDeployed = (peer: string): string => `${peer}, as CDK bundles it`;

/** The plain peer, and the one that validates as ours does; each bundled with our settings, and as CDK does it. */
export const peerNames = {
  plain: nameWithOurSettings(plain.name),
  powertools: nameWithOurSettings(powertools.name),
  plainAsDeployed: nameAsDeployed(plain.name),
  powertoolsAsDeployed: nameAsDeployed(powertools.name),
};

const clientsName = (name: MeasuredFunction): string => `${name}: AWS clients alone`;

const functionIn = async (name: MeasuredFunction, folder: string): Promise<MeasuredBundle> => {
  const bundled = await bundle(join('functions', name, 'index.ts'), join(folder, name));
  const nextEvent = nextEvents[name];
  return {
    name,
    functionName: name,
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
  return { name: clientsName(name), functionName: name, environment: environmentOf, event, ...bundled };
};

/** Bundles everything that is compared. Pairs come one after the other, because the speed of a machine changes within seconds. */
export const measuredBundles = async (folder: string) => {
  const event = firstEvent[receiver];
  const ofReceiver = { functionName: receiver, event, nextEvent: nextCallback } as const;
  const empty = {
    name: 'empty handler',
    environment: () => ({}),
    ...(await bundleBare('empty', join(folder, 'empty'))),
  };
  const bundled = await bundledPeers(folder, { of: [plain, powertools] });
  const peers = bundled.map(({ peer, receiver }) => ({
    ...ofReceiver,
    ...receiver,
    name: nameWithOurSettings(peer.name),
  }));
  const deployed = (await peersAsDeployed(folder)).map(({ name, ...peer }) => ({
    ...ofReceiver,
    ...peer,
    name: nameAsDeployed(name),
  }));
  const functions = await Promise.all(functionNames.map((name) => functionIn(name, folder)));
  const clients = await Promise.all(functionNames.map((name) => clientsIn(name, folder)));
  const pairs = functions.flatMap((ours) => [
    ours,
    ...clients.filter(({ functionName }) => functionName === ours.functionName),
  ]);
  return {
    withOurSettings: [{ ...ofReceiver, ...empty }, ...peers.toReversed(), ...pairs] as readonly MeasuredBundle[],
    asDeployed: [...deployed, ...peers.toReversed(), ...functions] as readonly MeasuredBundle[],
  };
};
