import type { Facts } from '../../../lib/record/delivery.ts';
import { fail } from '../../../lib/result.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { createMemoryWorld, type MemoryWorld } from '../../world/memory-world.ts';
import type { Tell } from '../play.ts';
import { createTimedTurns } from '../timed-turns.ts';
import { createCentre } from './centre.ts';
import { createMachines, type Machines } from './machines.ts';
import { polledCast } from './polled-cast.ts';
import type { PollingHistory, PollingStep } from './polling-history.ts';
import { createTelephony, type Telephony } from './telephony.ts';

/** What a history led to, once nothing waited any more. */
export interface PlayedPolling {
  readonly world: MemoryWorld;
  readonly machines: Machines;
  readonly accounts: readonly {
    readonly userName: string;
    readonly timeZone: string;
    /** What the centre says of each agent at the end. */
    readonly agents: ReadonlyMap<string, Facts>;
    readonly telephony: Telephony;
  }[];
  readonly lines: readonly string[];
  /** What was logged once all was well. */
  readonly lastLines: readonly string[];
}

const slotMs = 15_000;

/** A back-off takes five minutes at most. */
const longMs = 405_000;

/** All is well. */
const quiet: PollingStep = {
  slots: 0,
  moves: [[], []],
  answers: ['floor', 'floor'],
  answerMs: 0,
  ticks: [{ to: 0, afterMs: 0 }],
  publish: 100,
};

/** Plays a history in a world of its own, then some polls with all well, and publishes what is left. */
export const playPolling = async (history: PollingHistory, tell: Tell): Promise<PlayedPolling> => {
  const lines: string[] = [];
  const nowMs = (): number => world.now().getTime();
  const turns = createTimedTurns(seededRandom(history.turnsSeed), () => world);
  const accounts = polledCast.map(({ userName, timeZone, baseUrl }) => {
    const centre = createCentre(1);
    return { userName, timeZone, baseUrl, centre, telephony: createTelephony(centre, nowMs, turns.sleep) };
  });
  const world = createMemoryWorld({
    startedAt: '2026-11-21T15:00:02.400Z',
    accounts: polledCast,
    turn: turns.take,
    onLine: (line) => lines.push(line),
    telephony: {
      post: async (request) =>
        accounts.find(({ baseUrl }) => request.url.startsWith(baseUrl))?.telephony.post(request) ??
        fail({ reason: 'connection' }),
    },
  });
  const machines = createMachines(world, turns, history.processes, tell);

  const act = async (step: PollingStep): Promise<void> => {
    for (const [index, { centre, telephony }] of accounts.entries()) {
      centre.move(step.moves[index] ?? []);
      telephony.answerWith(step.answers[index] ?? 'floor', step.answerMs);
    }
    if (step.clock !== undefined) machines.setClock(step.clock.of, step.clock.errorMs);
    if (step.restart !== undefined) machines.processes.restart(`poller ${step.restart}`);
    const { publish } = step;
    await turns.together([
      ...firstOfEach(step.ticks).map((tick) => () => machines.serve(tick)),
      ...(publish === undefined ? [] : [() => machines.publish(publish)]),
    ]);
  };
  const later = (ms: number): void => world.advance(Math.max(0, ms - nowMs()));

  let dueMs = nowMs();
  for (const [index, step] of history.steps.entries()) {
    dueMs += step.slots * slotMs;
    later(dueMs);
    tell(`Step ${index} at ${world.now().toISOString()}: ${JSON.stringify(step)}`);
    await act(step);
  }

  machines.processes.heal();
  for (const poller of [0, 1] as const) machines.setClock(poller, 0);
  tell('All is well from here on');
  const healedAt = lines.length;
  for (const _again of [1, 2]) {
    later(nowMs() + longMs);
    await act(quiet);
  }
  while (world.streams.waiting().length > 0) await turns.together([() => machines.publish(100)]);

  const said = accounts.map(({ centre, ...account }) => ({ ...account, agents: centre.agents() }));
  return { world, machines, accounts: said, lines, lastLines: lines.slice(healedAt) };
};

/** A process serves one batch of ticks at a time. */
const firstOfEach = (ticks: PollingStep['ticks']): PollingStep['ticks'] =>
  [...Map.groupBy(ticks, ({ to }) => to).values()].flatMap((own) => own.slice(0, 1));
