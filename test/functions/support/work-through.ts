import type { Row } from '../../../lib/storage/rows.ts';
import type { Handle } from '../../../sandbox/frame/serve.ts';
import type { Queue } from '../../../sandbox/queue/queue.ts';
import { type Asked, deadConnections, type Mood, type Way } from '../../support/odd-answers.ts';
import { decompressed } from '../../support/posted-records.ts';
import { virtualTime } from '../../support/virtual-time.ts';
import { loadDeployed, type Surroundings, startedAt, startSurroundings } from './surroundings.ts';
import type { Work } from './works.ts';

/** What is odd about the answers that a function gets. */
export interface Oddity {
  /** Of the answers to its first run alone. */
  readonly mood?: Mood;
  /** Of all answers. */
  readonly meaning?: (handle: Handle) => Handle;
}

/** As often as a failed piece of work comes again here. Each time later than any lease lasts. */
const mostRounds = 6;
const pauseMs = 20 * 60_000;

interface Round {
  readonly answer: unknown;
  readonly tookMs: number;
  /** What it left undone: a function that has answered is frozen. */
  readonly open: readonly string[];
}

/** By the rules of Lambda and of API Gateway: nothing is to be repeated. */
export const isDone = ({ answer }: Pick<Round, 'answer'>): boolean => {
  const { batchItemFailures = [], statusCode = 200 } = Object(answer);
  return !(answer instanceof Error) && batchItemFailures.length === 0 && statusCode < 500;
};

/** Whatever time decides, and how often something was tried. */
const variable = /At$|^(?:since|asOf|loggedInSince|version|attempts|requests|lastRun|days|behind|lateCalls)$/;

/** Instants, random ids, and the port of this run with what is a hash of it. */
const chance = /\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|127\.0\.0\.1:\d+(?:#\w+)?/g;

const comparable = (value: unknown): unknown => {
  if (typeof value === 'string') return decompressed(value).replaceAll(chance, '…');
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (variable.test(name) ? [] : [[name, comparable(inner)]])),
  );
};

/** Each once, in no order: what AWS delivers may come twice. */
const distinct = (list: readonly unknown[]): readonly string[] =>
  [...new Set(list.map((one) => JSON.stringify(comparable(one))))].toSorted();

const bodiesOf = (queue: Queue) => distinct(queue.messages().map(({ body }) => JSON.parse(body)));

/** What a poll has found. How often it was tried before is in other rows. */
const isOfFloor = ({ kind }: Row): boolean => ['agent', 'accounts', 'token'].includes(String(kind));

/** Locks and work that was begun, of polls and of reconciliations. */
const begun = ({ poller, run }: Row): readonly unknown[] => {
  const { inFlight, pendingAt } = Object(poller);
  return [inFlight, pendingAt, run].filter((lock) => lock !== undefined && lock !== null);
};

/** Everything that is there when a piece of work is done. */
const stateOf = ({ world, objects, posted }: Surroundings) => ({
  calls: distinct(world.rows('calls')),
  quarantine: distinct(world.rows('quarantine')),
  agents: distinct(world.rows('agents').filter(isOfFloor)),
  begun: world.rows('agents').flatMap(begun),
  events: distinct(world.events().map(({ detail }) => detail)),
  parked: bodiesOf(world.parking),
  reconciliation: bodiesOf(world.reconciliation),
  forwarding: bodiesOf(world.forwarding),
  recordingLetters: bodiesOf(world.recordingDeadLetters),
  objects: objects.list().map(({ key, size, headers }) => JSON.stringify({ key, size, headers })),
  openUploads: objects.openUploads(),
  posted: [...new Set(posted())].toSorted(),
});

/** What was parked is stored. */
const recovered = async ({ world }: Surroundings): Promise<void> => {
  while (world.parking.messages().length > 0) {
    await world.recover(world.start());
    world.advance(pauseMs);
  }
};

/** A deployed function among services, whose time passes only while all wait for it. */
const startWork = async (work: Work, { mood, meaning }: Oddity = {}) => {
  const around = await startSurroundings(work.down, work.lengths, meaning);
  const { server, world } = around;
  await work.prepare?.(around);
  const usual = server.mood();
  const time = virtualTime(Date.parse(startedAt), server);
  const answers = (next: Mood) => server.answers((asked) => usual(asked) ?? next(asked));
  if (mood !== undefined) answers(mood);
  const invoke = await loadDeployed(around, work.name);
  return {
    around,
    answers,
    /** From now on all is answered as usual. */
    endOddity: () => server.answers(usual),
    /** One run, and what it left undone. */
    async run(event: unknown): Promise<Round> {
      const { done: answer, tookMs } = await time.during(
        invoke(structuredClone(event)).catch((error: unknown) => error),
      );
      const before = server.asked().length;
      await time.quiet();
      const late = server.asked().slice(before);
      return { answer, tookMs, open: [...server.open(), ...late.map(({ operation }) => `${operation} after it`)] };
    },
    async pass(milliseconds: number): Promise<void> {
      time.advance(milliseconds);
      world.advance(milliseconds);
      await time.quiet();
    },
  };
};

/** Lets a deployed function do a piece of work, again and again until it is done, as AWS would. Its first run meets what is odd. */
export const workThrough = async (work: Work, oddity?: Oddity) => {
  const { around, run, endOddity, pass } = await startWork(work, oddity);
  const next = work.afterwards?.() ?? (() => undefined);
  const rounds: Round[] = [];
  let event = work.event(around, 1);
  for (let failed = 0; event !== undefined && failed < (work.rounds ?? mostRounds); ) {
    const round = await run(event);
    rounds.push(round);
    endOddity();
    await pass(pauseMs);
    if (isDone(round)) event = next(around);
    else failed += 1;
  }
  await recovered(around);
  return { rounds, state: stateOf(around), asked: around.server.asked().map(({ operation }) => operation) };
};

/**
 * The second of two pieces of work, where the other side has forgotten the connections that the first one left open. `kept` has the
 * requests that come on one of them.
 */
export const workAfterPause = async (work: Work, way?: Way) => {
  const { around, run, answers, pass } = await startWork(work);
  await run(work.event(around, 1));
  await pass(pauseMs);
  const kept: Asked[] = [];
  answers((asked) => {
    if (asked.isKept) kept.push(asked);
    return way && deadConnections(way)(asked);
  });
  return { ...(await run(work.event(around, 2))), kept };
};

/** What is wrong with a run: a request that nobody waits for any more, or that comes after the answer; or no answer. */
export const leftBy = ({ open, answer }: Round): readonly string[] => [
  ...open,
  ...(answer instanceof Error ? [answer.message] : []),
];

type Worked = Awaited<ReturnType<typeof workThrough>>;

const known = new Map<Work, Worked>();

/** How a piece of work goes if nothing is odd. */
export const workedAsUsual = async (work: Work): Promise<Worked> => {
  const worked = known.get(work) ?? (await workThrough(work));
  known.set(work, worked);
  return worked;
};
