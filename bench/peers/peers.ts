import { join } from 'node:path';
import * as z from 'zod';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import type { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import type { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import { agentsTable, callsTable, quarantineTable, type Table } from '../../lib/storage/tables.ts';
import type { Tables } from '../../sandbox/frame/local-aws.ts';
import { bundle, cdkSettings, runtimePackages } from '../lambda/lambda-process.ts';

/** Ours: it writes the row before the reply; a second function publishes the event from the table's stream. */
export const callfeed: Peer = {
  name: 'callfeed',
  deployed(prefix) {
    const names = { calls: `${prefix}-calls`, quarantine: `${prefix}-quarantine`, agents: `${prefix}-agents` };
    const receiving = (awsUrl: string): VariablesOf<typeof receiveCallbackEnv> => ({
      CALLS_TABLE: names.calls,
      QUARANTINE_TABLE: names.quarantine,
      PARKING_QUEUE_URL: `${awsUrl}/000000000000/parking`,
      ACCOUNTS_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:accounts',
    });
    const publishing: VariablesOf<typeof publishChangesEnv> = { BUS_NAME: 'callfeed', AGENTS_TABLE: names.agents };
    return {
      receiver: {
        entry: 'functions/receive-callback/index.ts',
        environment: (awsUrl) => textsIn({ ...receiving(awsUrl), AWS_ENDPOINT_URL: awsUrl }),
      },
      publisher: {
        entry: 'functions/publish-changes/index.ts',
        environment: (awsUrl) => textsIn({ ...publishing, AWS_ENDPOINT_URL: awsUrl }),
      },
      tables: { [names.calls]: callsTable, [names.quarantine]: quarantineTable, [names.agents]: agentsTable },
    };
  },
};

const textsIn = (environment: object): Readonly<Record<string, string>> =>
  z.record(z.string(), z.string()).parse(environment);

const tableById: Table = { key: { partition: 'monitorUCID' }, timeToLive: 'expiresAt', published: [], indexes: [] };

export interface PeerFunction {
  readonly entry: string;
  environment(awsUrl: string): Readonly<Record<string, string>>;
}

export interface PeerDeployment {
  readonly receiver: PeerFunction;
  /** The function behind the stream of the calls' table, where the receiver does not publish the event itself. */
  readonly publisher?: PeerFunction;
  readonly tables: Tables;
}

export interface Peer {
  readonly name: string;
  /** A deployment whose tables begin with `prefix`, for the account of `peerAccount`. */
  deployed(prefix: string): PeerDeployment;
}

export const peerAccount = { userName: 'demo', key: 'demo-key' } as const;

export const peerSecret = JSON.stringify([
  { userName: peerAccount.userName, apiKeys: [peerAccount.key], timeZone: 'Asia/Kolkata' },
]);

/** The receiver that teams usually write: parse, compare the key, put, put events, reply. */
export const plain: Peer = {
  name: 'plain',
  deployed: (prefix) => ({
    receiver: {
      entry: 'bench/peers/plain-receiver.ts',
      environment: (awsUrl) => ({
        AWS_ENDPOINT_URL: awsUrl,
        API_KEY: peerAccount.key,
        CALLS_TABLE: `${prefix}-calls`,
        BUS_NAME: 'callfeed',
      }),
    },
    tables: { [`${prefix}-calls`]: tableById },
  }),
};

const idempotency: Table = { key: { partition: 'id' }, timeToLive: 'expiresAt', published: [], indexes: [] };

/** The same job on Powertools for AWS Lambda: parser, idempotency, logger and metrics. */
export const powertools: Peer = {
  name: 'powertools',
  deployed: (prefix) => ({
    receiver: {
      entry: 'bench/peers/powertools-receiver.ts',
      environment: (awsUrl) => ({
        AWS_ENDPOINT_URL: awsUrl,
        API_KEY: peerAccount.key,
        CALLS_TABLE: `${prefix}-calls`,
        IDEMPOTENCY_TABLE: `${prefix}-idempotency`,
        BUS_NAME: 'callfeed',
        POWERTOOLS_SERVICE_NAME: 'calls',
        POWERTOOLS_METRICS_NAMESPACE: 'Calls',
        POWERTOOLS_LOG_LEVEL: 'INFO',
      }),
    },
    tables: { [`${prefix}-calls`]: tableById, [`${prefix}-idempotency`]: idempotency },
  }),
};

const peers: readonly Peer[] = [callfeed, plain, powertools];

export interface BundledFunction {
  readonly folder: string;
  readonly environment: PeerFunction['environment'];
  readonly bytes: number;
}

export interface BundledPeer {
  readonly peer: Peer;
  readonly deployment: PeerDeployment;
  readonly receiver: BundledFunction;
  readonly publisher: BundledFunction | undefined;
}

/** Bundles the functions of each peer into folders in `folder`. The names of their tables begin with `prefix`. */
export const bundledPeers = (
  folder: string,
  { prefix = 'peer', of = peers }: { readonly prefix?: string; readonly of?: readonly Peer[] } = {},
): Promise<readonly BundledPeer[]> =>
  Promise.all(
    of.map(async (peer) => {
      const deployment = peer.deployed(`${prefix}-${peer.name}`);
      const { receiver, publisher } = deployment;
      return {
        peer,
        deployment,
        receiver: await bundled(receiver, join(folder, peer.name, 'receiver')),
        publisher: publisher && (await bundled(publisher, join(folder, peer.name, 'publisher'))),
      };
    }),
  );

const bundled = async ({ entry, environment }: PeerFunction, folder: string): Promise<BundledFunction> => {
  const { bytes } = await bundle(entry, folder);
  return { folder, environment, bytes };
};

/** The receivers of the two others as a team deploys them: bundled as CDK does it by default, with the SDK of the runtime. */
export const peersAsDeployed = (folder: string) =>
  Promise.all(
    [plain, powertools].map(async (peer): Promise<BundledFunction & { readonly name: string }> => {
      const { entry, environment } = peer.deployed(`peer-${peer.name}`).receiver;
      const own = join(folder, peer.name, 'as-deployed');
      const { bytes } = await bundle(entry, own, cdkSettings);
      const withPackages = (awsUrl: string) => ({ ...environment(awsUrl), ...runtimePackages });
      return { name: peer.name, folder: own, environment: withPackages, bytes };
    }),
  );
