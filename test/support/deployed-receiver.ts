import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { expect } from 'vitest';
import { dynamoStores } from '../../functions/adapters/dynamo-stores.ts';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { cachedAccounts } from '../../functions/adapters/secret-accounts.ts';
import { createReceiveHandler } from '../../functions/receive-callback/app.ts';
import { callbackSecretHash } from '../../lib/accounts/callback-secret.ts';
import { receiveCallback } from '../../lib/callback/receive-callback.ts';
import type { Parked } from '../../lib/callback/schema.ts';
import type { Stores } from '../../lib/callback/store-or-park.ts';
import { startTestTables } from './dynamodb-local.ts';
import { httpApiEvent, type Request } from './http-api-event.ts';
import { generousDeadline } from './memory-ports.ts';

/** The accounts of the tests: two of a deployment. */
export const accountsJson = JSON.stringify([
  { userName: 'demo', apiKeys: ['demo-key', 'demo-key-2'], timeZone: 'Asia/Kolkata' },
  { userName: 'other', apiKeys: ['other-key'], timeZone: 'Europe/London' },
]);

/** The deployed receiver over real tables; its queue and log are lists. A name in `down` makes that dependency throw. */
export const startReceiver = async ({ secret }: { readonly secret?: string } = {}) => {
  const tables = await startTestTables();
  const down = new Set<'calls' | 'quarantine' | 'parking' | 'accounts'>();
  const parked: Parked[] = [];
  const log: string[] = [];
  let now = '2026-11-20T06:00:00.000Z';
  const clock = () => new Date(now);
  const telemetry = jsonTelemetry({ function: 'receive-callback', deployment: 'test' }, (line) => log.push(line));
  const client = tables.client;
  const unless = async <T>(name: 'calls' | 'quarantine' | 'parking' | 'accounts', act: () => T | Promise<T>) => {
    if (down.has(name)) throw new Error(`${name} is down`);
    return act();
  };
  const env = {
    CALLS_TABLE: tables.tableNames.calls,
    CALL_RETENTION_DAYS: 9,
    QUARANTINE_TABLE: tables.tableNames.quarantine,
    QUARANTINE_RETENTION_DAYS: 9,
  };
  const { calls, quarantine } = dynamoStores(client, env, clock);
  const stores: Stores = {
    deadline: generousDeadline,
    calls: { record: (...args) => unless('calls', () => calls.record(...args)) },
    quarantine: { store: (...args) => unless('quarantine', () => quarantine.store(...args)) },
  };
  const secretHashes = secret === undefined ? undefined : callbackSecretHash(secret);
  const receive = receiveCallback({
    ...stores,
    clock,
    telemetry,
    accounts: cachedAccounts(() => unless('accounts', () => accountsJson), { clock, telemetry, secretHashes }),
    parking: { park: (items) => unless('parking', () => void parked.push(...items)) },
  });
  const handler = createReceiveHandler({ receive, telemetry, secretSha256: secretHashes });

  const rowsOf = async (tableName: string) => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    return Items.map((item) => unmarshall(item));
  };

  const storedCalls = () => rowsOf(tables.tableNames.calls);
  const quarantined = () => rowsOf(tables.tableNames.quarantine);
  const replies: unknown[] = [];

  return {
    down,
    parked,
    log,
    stores,
    client,
    callsTable: tables.tableNames.calls,
    calls: storedCalls,
    quarantined,
    /** Sets the clock, which stands still. */
    setClock(instant: string) {
      now = instant;
    },
    /** Checks after every test: no key was stored, queued, logged or answered, and no personal data logged. */
    async stop() {
      const everything = JSON.stringify([await storedCalls(), await quarantined(), parked, log, replies]);
      await tables.stop();
      for (const { apiKeys } of JSON.parse(accountsJson))
        for (const key of apiKeys) expect(everything).not.toContain(key);
      expect(log.join('')).not.toMatch(/09000000|Asha/);
    },
    async call(request: Request): Promise<APIGatewayProxyStructuredResultV2> {
      const event = httpApiEvent(request) as Parameters<typeof handler>[0];
      const reply = await handler(event, {} as Context);
      replies.push(reply);
      return reply;
    },
    /** The status and the parsed body of the answer. */
    async answer(request: Request) {
      const { statusCode, body } = await this.call(request);
      return { status: statusCode, ...JSON.parse(body ?? '{}') };
    },
  };
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
