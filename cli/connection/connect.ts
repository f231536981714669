import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { StoreEnv } from '../../functions/adapters/env.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import { tryParseJson } from '../../lib/core/parse-json.ts';
import { Problem } from '../problem.ts';
import { callbackAddress, type Deployment, type DeploymentLocation } from './deployment.ts';
import { fromStack } from './from-stack.ts';

/** What is needed of what `GET /_sandbox` tells. */
const SandboxState = z.object({
  addresses: z.object({
    dynamodb: z.url(),
    sqs: z.url(),
    parkingQueue: z.url(),
    deadLettersQueue: z.url(),
    events: z.url(),
    gateway: z.url(),
    callbacks: z.string(),
  }),
  tables: z.tuple([z.string(), z.string(), z.string()]),
  timeZones: z.record(z.string(), z.string()),
});

const answerTimeoutMs = 10_000;

/** Nothing of a sandbox checks them. */
const client = { region: 'local', credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' } };

/** The sandbox that runs at an address. It tells no keys: kept bodies have none, so none is needed. */
const fromSandbox = async (endpoint: string): Promise<Deployment> => {
  const { addresses, tables, timeZones } = await stateOf(endpoint);
  const [calls, agents, quarantine] = tables;
  const env = z.object(StoreEnv).parse({ CALLS_TABLE: calls, QUARANTINE_TABLE: quarantine });
  const accounts = Object.entries(timeZones).map(([userName, timeZone]) => ({
    userName,
    timeZone,
    apiKeys: [],
    token: { kind: 'none' as const },
  }));

  return {
    dynamodb: new DynamoDBClient({ ...client, endpoint: addresses.dynamodb }),
    sqs: new SQSClient({ ...client, endpoint: addresses.sqs }),
    bus: { kind: 'sandbox', name: addresses.events },
    tables: { calls, agents, quarantine },
    queues: { parking: addresses.parkingQueue, deadLetters: addresses.deadLettersQueue },
    retention: { callDays: env.CALL_RETENTION_DAYS, quarantineDays: env.QUARANTINE_RETENTION_DAYS },
    accounts: async () => accountIndex(accounts),
    callbackAddress: (secret) =>
      secret === undefined ? addresses.callbacks : callbackAddress(addresses.gateway, secret),
    fromArchive: () => `curl ${addresses.events}`,
  };
};

const stateOf = async (endpoint: string) => {
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new Problem('--endpoint must be the address of a sandbox, such as http://localhost:3000.', 2);

  const answer = await fetch(new URL('/_sandbox', endpoint), { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(
    () => {
      throw new Problem(`No sandbox answers at ${endpoint}; start one with: npm start`);
    },
  );
  const state = SandboxState.safeParse(tryParseJson(await answer.text()));
  if (!state.success) throw new Problem(`What answers at ${endpoint} is no sandbox of this version of Callfeed.`);
  return state.data;
};

/** Finds a deployment: by the outputs of its stack, or by what a running sandbox tells of itself. */
export const connect = (where: DeploymentLocation): Promise<Deployment> =>
  where.endpoint === undefined ? fromStack(where) : fromSandbox(where.endpoint);
