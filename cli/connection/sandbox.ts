import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { readEnv, storeEnv } from '../../functions/adapters/env.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import { commandText } from '../../lib/core/command-text.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { Problem } from '../problem.ts';
import { clientsOf, type Deployment, namedClient, pairOf } from './deployment.ts';

const SandboxState = z.object({
  version: z.string().optional(),
  addresses: z.object({
    ...{ dynamodb: z.url(), sqs: z.url(), s3: z.url(), provider: z.url(), events: z.url() },
    parkingQueue: z.url(),
    deadLettersQueue: z.url(),
    reconciliationQueue: z.url().optional(),
    forwardingQueue: z.url().optional(),
    forwardingDeadLettersQueue: z.url().optional(),
    recordingsQueue: z.url().optional(),
    recordingsDeadLettersQueue: z.url().optional(),
  }),
  recordingsBucket: z.string().optional(),
  tables: z.tuple([z.string(), z.string(), z.string()]),
  timeZones: z.record(z.string(), z.string()),
  words: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string()))),
  forwardTo: z.record(z.string(), z.array(z.string())),
  keyFingerprints: z.record(z.string(), z.array(z.string())),
});

/** Somebody waits: a sentence comes within ten seconds, the start of the command among them. */
export const answerTimeoutMs = 8_000;

/** A sandbox accepts any credentials. */
const client = { region: 'local', credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' } };

/** Connects to a sandbox. Its state has no keys, but their fingerprints, which is all that a stored entry has too. */
export const fromSandbox = async (endpoint: string): Promise<Deployment> => {
  const { version, addresses, tables, recordingsBucket: bucket } = await stateOf(endpoint);
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
    accounts: async () => sandboxAccounts(await stateOf(endpoint)),
    fromArchive: () => commandText(['curl', addresses.events]),
  };
};

const sandboxAccounts = ({ addresses, timeZones, words, forwardTo, keyFingerprints }: z.infer<typeof SandboxState>) => {
  const accounts = Object.entries(timeZones).map(([userName, timeZone]) => ({
    userName,
    timeZone,
    words: words[userName],
    forwardTo: forwardTo[userName],
    apiKeys: [],
    baseUrl: addresses.provider,
    token: { kind: 'none' } as const,
  }));
  return {
    ...accountIndex(accounts),
    accountForFingerprint: (fingerprint: string) =>
      accounts.find(({ userName }) => keyFingerprints[userName]?.includes(fingerprint)),
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
