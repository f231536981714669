import { Readable } from 'node:stream';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { type CliRun, cli, type Replaced } from './cli-run.ts';

/** What happens at one call of a command to AWS. */
export const disturbances = [
  'fails',
  'fails after it has taken effect',
  'fails in the middle of its answer',
  'never happens, as the command is killed',
  'is the last one before the command is killed',
] as const;
export type Disturbance = (typeof disturbances)[number];

export const isKill = (how: Disturbance): boolean => how.includes('killed');

interface Sender {
  send(...args: never[]): Promise<unknown>;
}

const serverError = () =>
  Object.assign(new Error('SENTINEL'), { name: 'InternalError', $metadata: { httpStatusCode: 500 } });

const never = () => new Promise<never>(() => undefined);

/** What comes as a stream breaks off in it. The SDK reads any other answer whole, and then knows none. */
const brokenOff = (answer: unknown) => {
  const { Body, ...rest } = Object(answer);
  if (!(Body instanceof Readable)) throw serverError();
  return { ...rest, Body: Readable.from(firstHalf(Body)) };
};

async function* firstHalf(body: AsyncIterable<Buffer>) {
  for await (const chunk of body) {
    yield chunk.subarray(0, chunk.length / 2);
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  }
}

const disturbedCall = async (how: Disturbance, send: () => Promise<unknown>, die: () => Promise<never>) => {
  if (how === 'never happens, as the command is killed') return die();
  if (how === 'fails') throw serverError();
  const answer = await send();
  if (how === 'fails in the middle of its answer') return brokenOff(answer);
  if (how === 'fails after it has taken effect') throw serverError();
  return die();
};

/** The clients of one command, whose calls are counted. One of them is disturbed; after a kill none takes effect. */
const disturbed = (nth: number, how: Disturbance | undefined) => {
  const calls: string[] = [];
  const death = Promise.withResolvers<void>();
  let isDead = false;
  const die = () => {
    isDead = true;
    death.resolve();
    return never();
  };
  const around = <Client extends Sender>(client: Client): Client =>
    Object.assign(Object.create(client), {
      async send(...args: never[]) {
        if (isDead) return never();
        const isIt = calls.push(Object(args[0]).constructor.name) - 1 === nth;
        const send = () => client.send(...args);
        return isIt && how !== undefined ? disturbedCall(how, send, die) : send();
      },
    });
  const within = (deployment: Deployment): Deployment => ({
    ...deployment,
    dynamodb: around(deployment.dynamodb as never),
    sqs: around(deployment.sqs as never),
    s3: around(deployment.s3 as never),
  });
  return { calls, within, death: death.promise };
};

/** Runs a command with a disturbance at its call `nth`, counted from 0. `done` is undefined if it was killed. */
export const disturbedRun = async (
  args: readonly string[],
  connect: () => Promise<Deployment>,
  { nth = -1, how, ...replaced }: Replaced & { readonly nth?: number; readonly how?: Disturbance } = {},
): Promise<{ readonly calls: readonly string[]; readonly done: CliRun | undefined }> => {
  const { calls, within, death } = disturbed(nth, how);
  const run = cli(args, { ...replaced, connect: async () => within(await connect()) });
  return { done: await Promise.race([run, death.then(() => undefined)]), calls };
};
