import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { readEnv, storeEnv } from '../../functions/adapters/env.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import { commandText } from '../../lib/core/command-text.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { Problem } from '../problem.ts';
import { clientsOf, type Deployment, type DeploymentLocation, namedClient } from './deployment.ts';
import { fromStack } from './from-stack.ts';

export const connect = (location: DeploymentLocation): Promise<Deployment> =>
  location.endpoint === undefined ? fromStack(location) : fromSandbox(location.endpoint);

const SandboxState = z.object({
  version: z.optional(z.string()),
  addresses: z.object({
    dynamodb: z.url(),
    sqs: z.url(),
    parkingQueue: z.url(),
    deadLettersQueue: z.url(),
    reconciliationQueue: z.url(),
    forwardingQueue: z.url(),
    forwardingDeadLettersQueue: z.url(),
    s3: z.url(),
    recordingsQueue: z.url(),
    recordingsDeadLettersQueue: z.url(),
    provider: z.url(),
    events: z.url(),
  }),
  recordingsBucket: z.optional(z.string()),
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
const fromSandbox = async (endpoint: string): Promise<Deployment> => {
  const { version, addresses, tables, recordingsBucket: bucket } = await stateOf(endpoint);
  const [calls, agents, quarantine] = tables;
  const env = readEnv(storeEnv(), { CALLS_TABLE: calls, QUARANTINE_TABLE: quarantine });

  return {
    version,
    ...clientsOf({ ...client, endpoint: addresses.dynamodb }, { ...client, endpoint: addresses.sqs }),
    bus: { kind: 'sandbox', name: addresses.events },
    tables: { calls, agents, quarantine },
    queues: {
      parking: addresses.parkingQueue,
      deadLetters: addresses.deadLettersQueue,
      reconciliation: addresses.reconciliationQueue,
      forwarding: { queue: addresses.forwardingQueue, deadLetters: addresses.forwardingDeadLettersQueue },
    },
    s3: namedClient('S3', S3Client, { ...client, endpoint: addresses.s3 }),
    recordings:
      bucket === undefined
        ? undefined
        : { bucket, queue: addresses.recordingsQueue, deadLetters: addresses.recordingsDeadLettersQueue },
    retention: { callDays: env.CALL_RETENTION_DAYS, quarantineDays: env.QUARANTINE_RETENTION_DAYS },
    accounts: async () => sandboxAccounts(await stateOf(endpoint)),
    fromArchive: () => commandText(['curl', addresses.events]),
  };
};

/** Accounts can be added to a sandbox while it runs. */
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
