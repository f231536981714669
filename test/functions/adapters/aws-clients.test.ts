import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { redriveQuarantined } from '../../../cli/quarantine/redrive-quarantined.ts';
import {
  accountsDeadlineMs,
  clientSettings,
  deployedSettings,
  openConnection,
  parkingReserveMs,
  replyReserveMs,
  storeDeadlineMs,
} from '../../../functions/adapters/aws-clients.ts';
import { dynamoAgentTable } from '../../../functions/adapters/dynamo-agent-table.ts';
import { dynamoStores } from '../../../functions/adapters/dynamo-stores.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { timeoutSeconds } from '../../../functions/limits.ts';
import { slotSeconds } from '../../../functions/poll-agents/rate-limit.ts';
import { dynamoReceipts } from '../../../functions/publish-changes/app.ts';
import { composeRecovery } from '../../../functions/recover-callbacks/app.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { requestTimeoutMs } from '../../../lib/service/service.ts';
import { localClient } from '../../../sandbox/frame/local-aws.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { startHttpServer, startTcpServer } from '../../support/local-servers.ts';
import { keyedDelivery, summaryWith } from '../../support/posted-records.ts';

describe('an AWS client', () => {
  it('gives up after two attempts when the service accepts requests and never answers', async () => {
    const endpoint = await startTcpServer(() => undefined);
    const requestHandler = { ...clientSettings.requestHandler, requestTimeout: 50 };
    const client = new EventBridgeClient({ ...localClient(endpoint), ...clientSettings, requestHandler });

    await expect(client.send(new PutEventsCommand({ Entries: [] }))).rejects.toMatchObject({
      name: 'TimeoutError',
      $metadata: { attempts: 2 },
    });
    client.destroy();
  });

  it('has a connection before its first request, if the service permits', async () => {
    let connections = 0;
    const { url, server } = await startHttpServer((_request, response) => void response.end('{}'));
    server.on('connection', () => connections++);
    const client = new DynamoDBClient({ ...deployedSettings({}, 'DYNAMODB'), ...localClient(url) });
    await openConnection(client);
    await client.send(new ListTablesCommand());
    expect(connections).toBe(1);
    client.destroy();
  });

  it('opens its connection with its first request, if the service did not answer before', async () => {
    const { url } = await startHttpServer(({ method, socket }, response) =>
      method === 'GET' ? void socket.destroy() : void response.end('{}'),
    );
    const client = new DynamoDBClient({ ...clientSettings, ...localClient(url) });
    await openConnection(client);

    expect(await client.send(new ListTablesCommand())).toMatchObject({ $metadata: { attempts: 1 } });
    client.destroy();
  });
});

/** A request handler that sends nothing, and notes where it would have sent to. */
const recordedHosts = () => {
  const hosts: string[] = [];
  return {
    hosts,
    requestHandler: {
      async handle({ protocol, hostname }: { readonly protocol: string; readonly hostname: string }): Promise<never> {
        hosts.push(`${protocol}//${hostname}`);
        throw new Error('Nothing is sent');
      },
    },
  };
};

describe('a connection that is opened ahead', () => {
  it.each([
    ['dynamodb', DynamoDBClient],
    ['sqs', SQSClient],
  ] as const)('goes to the address of AWS where no emulator is named: %s', async (name, Made) => {
    const { hosts, requestHandler } = recordedHosts();
    const settings = deployedSettings({}, name === 'sqs' ? 'SQS' : 'DYNAMODB');
    await openConnection(new Made({ ...settings, region: 'eu-west-1', requestHandler }));

    expect(hosts).toEqual([`https://${name}.eu-west-1.amazonaws.com`]);
  });
});

const emulator = 'http://127.0.0.1:4000';

describe('the client of a deployed function', () => {
  it.each([
    [{}, undefined, [false, false]],
    [{ AWS_ENDPOINT_URL: emulator }, '4000', [false, false]],
    [{ AWS_ENDPOINT_URL: emulator, AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:5000' }, '5000', [false, false]],
    [{ AWS_ENDPOINT_URL_DYNAMODB: emulator, AWS_USE_FIPS_ENDPOINT: 'true' }, undefined, [true, false]],
    [{ AWS_USE_DUALSTACK_ENDPOINT: 'true' }, undefined, [false, true]],
  ])('with the environment %j finds its service at port %s', async (environment, port, kinds) => {
    const { config } = new SQSClient({ ...deployedSettings(environment, 'SQS'), region: 'eu-west-1' });

    expect((await config.endpoint?.())?.port).toEqual(port && Number(port));
    expect([await config.useFipsEndpoint(), await config.useDualstackEndpoint()]).toEqual(kinds);
  });
});

describe('time-outs', () => {
  it.each([
    ['receive-callback', 'park a callback', 2 * accountsDeadlineMs + storeDeadlineMs + parkingReserveMs],
    ['poll-agents', 'poll and write', accountsDeadlineMs + storeDeadlineMs + requestTimeoutMs + storeDeadlineMs],
  ] as const)('leave %s time to %s when every service is as slow as it may be', (name, _work, slowestMs) => {
    expect(slowestMs).toBeLessThanOrEqual(timeoutSeconds[name] * 1_000 - 1_000);
  });

  it('let the receiver reply before API Gateway gives up, after the longest start that Lambda allows', () => {
    const startSeconds = 10;
    const gatewaySeconds = 30;
    expect(replyReserveMs).toBeGreaterThanOrEqual(1_000);
    expect(startSeconds + timeoutSeconds['receive-callback']).toBeLessThan(gatewaySeconds);
  });

  it('end a poll before the next slot begins', () => {
    expect(timeoutSeconds['poll-agents']).toBeLessThan(slotSeconds);
  });
});

const deadlineMs = 100;
const feed = { pk: 'demo', sk: 'feed', version: 1 };
const entry = { reason: 'broken-json', body: '{', receivedAt: '2026-11-20T06:00:00.000Z' };

/** A client of DynamoDB that stores everything, and the time limits of its requests. */
const recordingLimits = () => {
  const limits: unknown[] = [];
  const client = {
    send: async (_command: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) => {
      limits.push(abortSignal);
      return {};
    },
  };
  return { limits, client: client as never };
};

const telemetry = jsonTelemetry({ function: 'test', deployment: 'test' }, () => undefined);
const storeEnv = { CALLS_TABLE: 'c', CALL_RETENTION_DAYS: 1, QUARANTINE_TABLE: 'q', QUARANTINE_RETENTION_DAYS: 1 };
const clock = () => new Date('2026-11-20T06:00:00.000Z');
const three = [1, 2, 3];

it('the limit of a write is as long as deployed, and no longer than what its post has left', () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const { deadline } = dynamoStores(recordingLimits().client, storeEnv, clock);
  for (const mostMs of [undefined, 10_000, 400]) deadline(mostMs);
  const limits = timeout.mock.calls.slice(-3);
  timeout.mockRestore();

  expect(limits).toEqual([[storeDeadlineMs], [storeDeadlineMs], [400]]);
});

/** What works off a list whose first entries may take all of one limit. */
describe('each entry of a list has a time limit of its own', () => {
  it.each<[string, (dynamodb: never) => Promise<unknown>]>([
    [
      'a batch of the parking queue',
      async (dynamodb) => {
        const env = { ...storeEnv, DEPLOYMENT: 'test' } as const;
        const handler = composeRecovery({ env, clock, telemetry, dynamodb });
        const Records = three.map((id) => {
          const parked = { kind: 'delivery', ...keyedDelivery(summaryWith({ monitorUCID: String(id) })) };
          return { messageId: String(id), body: JSON.stringify(parked) };
        });
        expect(await handler({ Records } as SQSEvent, {} as Context)).toEqual({ batchItemFailures: [] });
      },
    ],
    [
      'the records of a quarantined post',
      async (client) => {
        const records = three.map((id) => summaryWith({ monitorUCID: String(id) }));
        const redrive = redriveQuarantined(
          {
            ...dynamoStores(client, storeEnv, clock),
            accounts: accountIndex([demoAccount as never]),
            remove: async () => undefined,
          },
          { account: 'demo', isDryRun: false },
        );
        const body = JSON.stringify(records);
        expect(await redrive({ id: 'x', entry: { ...entry, account: 'demo', body } })).toMatchObject({ ok: true });
      },
    ],
    [
      'the writes of a poll',
      async (client) => {
        const table = dynamoAgentTable({ client, tableName: 'agents', deadlineMs });
        for (const id of three) await table.write({ ...feed, pk: `account ${id}` });
      },
    ],
    [
      'the receipts of several accounts',
      async (client) => {
        const receipts = dynamoReceipts({ client, tableName: 'agents', deadlineMs });
        for (const id of three) await receipts.advance(`account ${id}`, 'lastReceivedAt', clock().toISOString());
      },
    ],
  ])('%s', async (_title, workOff) => {
    const { client, limits } = recordingLimits();
    await workOff(client);

    expect(limits).toEqual(three.map(() => expect.any(AbortSignal)));
    expect(new Set(limits).size).toBe(three.length);
  });
});
