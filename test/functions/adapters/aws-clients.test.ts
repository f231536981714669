import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import {
  accountsDeadlineMs,
  clientSettings,
  deployedSettings,
  openConnection,
  parkingDeadlineMs,
  storeDeadlineMs,
} from '../../../functions/adapters/aws-clients.ts';
import { slotSeconds } from '../../../functions/poll-agents/slot.ts';
import { timeoutSeconds } from '../../../functions/timeouts.ts';
import { requestTimeoutMs } from '../../../lib/service/service.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { startHttpServer, startTcpServer } from '../../support/local-servers.ts';

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
    ['receive-callback', 'park a callback', 2 * accountsDeadlineMs + storeDeadlineMs + parkingDeadlineMs],
    ['poll-agents', 'poll and write', accountsDeadlineMs + storeDeadlineMs + requestTimeoutMs + storeDeadlineMs],
  ] as const)('leave %s time to %s when every service is as slow as it may be', (name, _work, slowestMs) => {
    expect(slowestMs).toBeLessThanOrEqual(timeoutSeconds[name] * 1_000 - 1_000);
  });

  it('end a poll before the next slot begins', () => {
    expect(timeoutSeconds['poll-agents']).toBeLessThan(slotSeconds);
  });
});
