import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { createTables } from '../../../sandbox/dynamodb/create-tables.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { startAwsEndpoint } from '../aws/aws-endpoint.ts';
import type { RecordedRequest } from '../aws/services.ts';
import { callbacks } from '../examples.ts';
import { type Invocation, type LambdaProcess, startLambda } from '../lambda/lambda-process.ts';
import { type BundledFunction, type BundledPeer, peerSecret } from './peers.ts';
import { startPublishing } from './publishing.ts';

/** An answer as API Gateway hands it on. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** The processes of one function. */
export interface Receivers {
  /** Hands an event to a process; the second is another one, for what comes at the same time. */
  take(event: unknown, process?: 'first' | 'second'): Promise<Reply>;
  /** Ends all of them as a crash would; what comes next is taken by new ones. */
  crash(): Promise<void>;
}

const Result = z.object({ statusCode: z.number(), body: z.string().default('') });

const apiTimeoutMs = 30_000;

/** Starts a process of the function whenever there is none. `onOutput` is told whatever is in the function's log. */
const receivers = (
  { folder, environment }: BundledFunction,
  awsUrl: string,
  onOutput: (text: string) => void,
): Receivers => {
  const alive = new Map<'first' | 'second', Promise<LambdaProcess>>();

  const start = (name: 'first' | 'second') => {
    const started = startLambda({ folder, environment: environment(awsUrl), onOutput });
    alive.set(name, started);
    return started;
  };

  return {
    async take(event, name = 'first') {
      const lambda = await (alive.get(name) ?? start(name));
      const invocation = await inTime(lambda.invoke(event));
      if (invocation === undefined) {
        alive.delete(name);
        await lambda.stop();
        return { status: 503, body: '{"message":"Service Unavailable"}' };
      }
      const { result, error } = invocation;
      if (error === undefined) {
        const { statusCode: status, body } = Result.parse(result);
        return { status, body };
      }
      // Lambda writes it to the function's log, and API Gateway tells nothing of it.
      onOutput(`${JSON.stringify(error)}\n`);
      return { status: 500, body: '{"message":"Internal Server Error"}' };
    },
    async crash() {
      const ending = [...alive.values()];
      alive.clear();
      await Promise.all(ending.map(async (lambda) => (await lambda).stop()));
    },
  };
};

/** The invocation, or undefined if it takes longer than API Gateway waits. */
const inTime = async (invocation: Promise<Invocation>): Promise<Invocation | undefined> => {
  const expired = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => expired.resolve(undefined), apiTimeoutMs);
  return Promise.race([invocation, expired.promise]).finally(() => clearTimeout(timer));
};

/** What one callback takes of AWS. */
export interface Work {
  readonly callsBeforeReply: number;
  /** With what runs after the reply. */
  readonly calls: number;
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  readonly events: number;
}

/** What callbacks of each kind take: of a new call, the same once more, and the call with its disposition. */
export type CountedWork = Readonly<Record<'first' | 'repeat' | 'revision', Work>>;

/** Counts at the wire what a peer asks of AWS, at empty tables of a running DynamoDB Local. */
export const countWork = async (bundled: BundledPeer, endpoint: string): Promise<CountedWork> => {
  const { tables } = bundled.deployment;
  const client = new DynamoDBClient(localClient(endpoint));
  await createTables(client, tables);
  const wire = await startAwsEndpoint({ dynamodb: { endpoint, tables }, secret: peerSecret });
  const noOutput = () => undefined;
  const processes = receivers(bundled.receiver, wire.url, noOutput);
  const publishing = await startPublishing(bundled, { client, endpoint, awsUrl: wire.url }, noOutput);

  const take = async (data: string): Promise<Work> => {
    const { status, body } = await processes.take(httpApiEvent({ body: formOf(data) }));
    if (status !== 200) throw new Error(`${bundled.peer.name} answered ${status}: ${body}`);
    const before = wire.takeRequests();
    await publishing.catchUp();
    return workOf(before, wire.takeRequests());
  };

  try {
    // The first one reads the secret, which is cached from then on.
    await take(callbacks.another);
    return {
      first: await take(callbacks.first),
      repeat: await take(callbacks.first),
      revision: await take(callbacks.revision),
    };
  } finally {
    await Promise.all([processes.crash(), publishing.stop()]);
    await wire.close();
    client.destroy();
  }
};

const workOf = (before: readonly RecordedRequest[], after: readonly RecordedRequest[]): Work => {
  const all = [...before, ...after];
  const sum = (of: (call: RecordedRequest) => number) => all.reduce((total, call) => total + of(call), 0);
  return {
    callsBeforeReply: before.length,
    calls: all.length,
    writeUnits: sum(({ writeUnits }) => writeUnits),
    indexWriteUnits: sum(({ indexWriteUnits }) => indexWriteUnits),
    events: sum(({ events }) => events.length),
  };
};
