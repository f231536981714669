import { join } from 'node:path';
import type { FunctionName } from '../../functions/timeouts.ts';
import { bundle } from '../bundles/bundle.ts';
import { bundledPeers } from '../peers/bundled-peers.ts';
import { firstEvent } from './first-events.ts';

/** A bundle that is started, and the first event that it is given. */
export interface Contestant {
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
  environment(awsUrl: string): Readonly<Record<string, string>>;
  event(): unknown;
  /** The contestant that it is held against: the AWS clients that it uses and nothing else. */
  readonly bare?: string;
}

const functionNames: readonly FunctionName[] = [
  'receive-callback',
  'publish-changes',
  'recover-callbacks',
  'poll-agents',
];

/** What any of our functions reads from its environment. */
const ours = (awsUrl: string): Readonly<Record<string, string>> => ({
  AWS_ENDPOINT_URL: awsUrl,
  CALLS_TABLE: 'calls',
  QUARANTINE_TABLE: 'quarantine',
  AGENTS_TABLE: 'agents',
  PARKING_QUEUE_URL: `${awsUrl}/000000000000/parking`,
  BUS_NAME: 'callfeed',
  ACCOUNTS_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:accounts',
});

const functionIn = async (name: FunctionName, folder: string): Promise<readonly Contestant[]> => {
  const bare = `${name}: AWS clients alone`;
  const same = { environment: ours, event: firstEvent[name] };
  return [
    { name, bare, ...same, ...(await bundle(join('functions', name, 'index.ts'), join(folder, name))) },
    { name: bare, ...same, ...(await bundle(join('bench/start/bare', `${name}.ts`), join(folder, 'bare', name))) },
  ];
};

/** Everything that is started, bundled into `folder`: nothing at all, our functions beside their clients, the peers. */
export const contestantsIn = async (folder: string): Promise<readonly Contestant[]> => {
  const event = firstEvent['receive-callback'];
  const empty = await bundle('bench/start/empty.ts', join(folder, 'empty'));
  const functions = await Promise.all(functionNames.map((name) => functionIn(name, folder)));
  const [, ...peers] = await bundledPeers(folder);
  return [
    { name: 'empty handler', environment: () => ({}), event, ...empty },
    ...functions.flat(),
    ...peers.map(({ peer, receiver }) => ({ name: `peer: ${peer.name}`, event, ...receiver })),
  ];
};
