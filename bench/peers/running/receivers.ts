import * as z from 'zod';
import { type Invocation, type LambdaProcess, startLambda } from '../../lambda/start-lambda.ts';
import type { BundledFunction } from '../bundled-peers.ts';

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

const longestMs = 30_000;

/** Starts a process of the function whenever there is none. `onOutput` is told whatever is in the function's log. */
export const receivers = (
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
  const timer = setTimeout(() => expired.resolve(undefined), longestMs);
  return Promise.race([invocation, expired.promise]).finally(() => clearTimeout(timer));
};
