import { once } from 'node:events';
import { connect } from 'node:net';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { readEnv, storeEnv } from '../../functions/adapters/env.ts';
import { commandText } from '../../lib/core/command-text.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { accountsInSecret, clientsOf, type Deployment, namedClient, pairOf } from './deployment.ts';
import { Problem } from './problem.ts';

const SandboxState = z.object({
  version: z.string().optional(),
  addresses: z.object({
    dynamodb: z.url(),
    sqs: z.url(),
    s3: z.url(),
    secretsmanager: z.url(),
    events: z.url(),
    parkingQueue: z.url(),
    deadLettersQueue: z.url(),
    reconciliationQueue: z.url().optional(),
    forwardingQueue: z.url().optional(),
    forwardingDeadLettersQueue: z.url().optional(),
    recordingsQueue: z.url().optional(),
    recordingsDeadLettersQueue: z.url().optional(),
  }),
  accountsSecret: z.string(),
  recordingsBucket: z.string().optional(),
  tables: z.tuple([z.string(), z.string(), z.string()]),
});

/** Somebody waits: a sentence comes within ten seconds, the start of the command among them. */
export const answerTimeoutMs = 8_000;

/** A sandbox accepts any credentials. */
const client = { region: 'local', credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' } };

export const fromSandbox = async (endpoint: string): Promise<Deployment> => {
  const { version, addresses, accountsSecret, tables, recordingsBucket: bucket } = await stateOf(endpoint);
  const [calls, agents, quarantine] = tables;
  const recordings = pairOf(addresses.recordingsQueue, addresses.recordingsDeadLettersQueue);
  const env = readEnv(storeEnv(), { CALLS_TABLE: calls, QUARANTINE_TABLE: quarantine });

  return {
    version,
    isPolling: true,
    ...clientsOf({ ...client, endpoint: addresses.dynamodb }, { ...client, endpoint: addresses.sqs }),
    bus: { kind: 'sandbox', eventsAddress: addresses.events },
    tables: { calls, agents, quarantine },
    queues: {
      parking: addresses.parkingQueue,
      deadLetters: addresses.deadLettersQueue,
      reconciliation: addresses.reconciliationQueue,
      forwarding: pairOf(addresses.forwardingQueue, addresses.forwardingDeadLettersQueue),
    },
    s3: namedClient('S3', S3Client, { ...client, endpoint: addresses.s3 }),
    ...(bucket !== undefined && recordings && { recordings: { bucket, ...recordings } }),
    retention: { callDays: env.CALL_RETENTION_DAYS, quarantineDays: env.QUARANTINE_RETENTION_DAYS },
    accounts: accountsInSecret({ ...client, endpoint: addresses.secretsmanager }, accountsSecret),
    fromArchive: () => commandText(['curl', addresses.events]),
  };
};

const stateOf = async (endpoint: string) => {
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new Problem('--endpoint must be the address of a sandbox, such as http://localhost:3000.', 2);

  const text = await fetch(new URL('/_sandbox', endpoint), { signal: AbortSignal.timeout(answerTimeoutMs) })
    .then((answer) => answer.text())
    .catch(async (error: unknown) => {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      throw new Problem(isLate && (await isListening(endpoint)) ? slow(endpoint) : absent(endpoint));
    });
  const state = SandboxState.safeParse(tryParseJson(text));
  if (!state.success) throw new Problem(`The server at ${endpoint} is not a sandbox of this version of Callfeed.`);
  return state.data;
};

const absent = (endpoint: string): string => `No sandbox answers at ${endpoint}. Start one with: npm start`;

const slow = (endpoint: string): string =>
  `Something listens at ${endpoint}, and has not answered within ${answerTimeoutMs / 1_000} seconds. ` +
  'A sandbox does so while it starts, or while its machine is busy: try again, and look at its terminal.';

/** The operating system accepts a connection however busy the server is. */
const isListening = async (endpoint: string): Promise<boolean> => {
  const { hostname, port, protocol } = new URL(endpoint);
  const usualPort = protocol === 'https:' ? 443 : 80;
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usualPort : Number(port) });
  return await once(socket, 'connect', { signal: AbortSignal.timeout(1_000) })
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
};
