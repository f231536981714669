import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { accountsInSecret, clientsOf, type Deployment, namedClient } from '../../../cli/frame/deployment.ts';
import type { Handle } from '../../../sandbox/frame/serve.ts';
import { awsOperation, s3Operation, startOddServer } from '../../support/odd-answers.ts';
import { virtualTime } from '../../support/virtual-time.ts';
import { cli, type Replaced } from './cli-run.ts';
import { stubDeployment } from './local-deployment.ts';

const startedAt = Date.parse('2026-11-20T06:00:01.000Z');

type Json = Readonly<Record<string, unknown>>;

/** What a double of AWS answers to an operation. */
export type Operation = (input: Json) => unknown;

/** AWS whose operations answer so. */
const answering =
  (operations: Readonly<Record<string, Operation>>): Handle =>
  async ({ headers, body }) => {
    const [, operation = ''] = String(headers['x-amz-target']).split('.');
    const output = operations[operation]?.(JSON.parse(body.toString()));
    return { status: 200, body: JSON.stringify(output ?? {}) };
  };

/** AWS and a sandbox at an address of this machine, in a time that waits for nobody, and the clients that commands are deployed with. */
export const startOddServices = async (answers: (service: string) => Handle | undefined, secretArn = 'secret') => {
  const server = await startOddServer({
    nameOf(request) {
      const { path } = request;
      if (path.startsWith('/_')) return { service: 'sandbox', operation: path };
      return awsOperation(request) ?? { service: 's3', operation: s3Operation(request) };
    },
    answer: async (request, { service }) => (await answers(service)?.(request)) ?? { status: 404 },
  });
  const time = virtualTime(startedAt, server);
  const location = {
    region: 'local',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    endpoint: server.url,
  };
  const connected = (): Deployment => ({
    ...stubDeployment(),
    ...clientsOf(location),
    s3: namedClient('S3', S3Client, location),
    bus: { kind: 'event-bridge', name: 'bus', client: namedClient('EventBridge', EventBridgeClient, location) },
    accounts: accountsInSecret(location, secretArn),
  });
  return { server, time, connected };
};

/** A command over the clients that it is deployed with, against AWS whose operations answer so. */
export const startOddAws = async (operations: Readonly<Record<string, Operation>>) => {
  const { server, time, connected } = await startOddServices(() => answering(operations));
  const { accounts } = stubDeployment();
  const connect = async (): Promise<Deployment> => ({ ...connected(), accounts });
  return {
    server,
    /** Runs a command, which is interrupted after `stopSeconds` unless it has ended. */
    async run(line: string, stopSeconds: number, replaced: Replaced = {}) {
      const stop = new AbortController();
      const interruption = () => stop.signal;
      setTimeout(() => stop.abort(), stopSeconds * 1_000);
      const { done, tookMs } = await time.during(cli(line.split(' '), { connect, interruption, ...replaced }));
      await time.quiet();
      return { ...done, tookMs, open: server.open() };
    },
  };
};
