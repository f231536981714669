import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { readEnv, storeEnv } from '../../functions/adapters/env.ts';
import { commandText } from '../../lib/core/command-text.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { Problem } from '../problem.ts';
import { accountsInSecret, clientsOf, type Deployment, namedClient, pairOf } from './deployment.ts';

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

  const answer = await fetch(new URL('/_sandbox', endpoint), { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(
    () => {
      throw new Problem(`No sandbox answers at ${endpoint}. Start one with: npm start`);
    },
  );
  const state = SandboxState.safeParse(tryParseJson(await answer.text()));
  if (!state.success) throw new Problem(`The server at ${endpoint} is not a sandbox of this version of Callfeed.`);
  return state.data;
};
