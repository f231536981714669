import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientsOf, type Deployment, namedClient } from '../../../cli/frame/deployment.ts';
import type { Answer, Received } from '../../../sandbox/frame/serve.ts';
import { startOddServer } from '../../support/odd-answers.ts';
import { virtualTime } from '../../support/virtual-time.ts';
import { cli, type Replaced } from './cli-run.ts';
import { stubDeployment } from './local-deployment.ts';

const startedAt = Date.parse('2026-11-20T06:00:01.000Z');

const services: Readonly<Record<string, string>> = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  AWSEvents: 'eventbridge',
};

type Json = Readonly<Record<string, unknown>>;

/** What a double of AWS answers to an operation. */
export type Operation = (input: Json) => unknown;

/** A command over the clients that it is deployed with, against AWS at an address of this machine, in a time that waits for nobody. */
export const startOddAws = async (operations: Readonly<Record<string, Operation>>) => {
  const answer = async ({ body }: Received, operation: string): Promise<Answer> => {
    const output = operations[operation]?.(JSON.parse(body.toString()));
    return { status: 200, body: JSON.stringify(output ?? {}) };
  };
  const server = await startOddServer({
    nameOf({ headers }) {
      const [target = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
      const service = services[target];
      return service === undefined ? undefined : { service, operation };
    },
    answer: (request, { operation }) => answer(request, operation),
  });
  const time = virtualTime(startedAt, server);
  const location = {
    region: 'local',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    endpoint: server.url,
  };
  const connect = async (): Promise<Deployment> => ({
    ...stubDeployment(),
    ...clientsOf(location),
    bus: { kind: 'event-bridge', name: 'bus', client: namedClient('EventBridge', EventBridgeClient, location) },
  });
  return {
    server,
    /** Runs a command that somebody interrupts after so many seconds. */
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
