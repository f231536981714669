import { fail } from '../../../../lib/core/result.ts';
import { maxRunSeconds } from '../../../../lib/service/service.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { type FaultInjector, ProcessCrash } from '../../../deployment/functions.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../deployment/world.ts';
import { log } from '../../property.ts';
import { createProcesses, createScheduler, polledAccounts, type Scheduler } from '../processes.ts';
import {
  createCentre,
  createTelephony,
  type PollingHistory,
  type PollingSlot,
  type PollingStep,
  type Telephony,
  type Tick,
} from './contact-centre.ts';

const longestRunMs = maxRunSeconds * 1_000;

/** How long a transaction with the rows of many agents takes: a run has time for few of them. */
const largeWriteMs = 1_100;

const createMachines = (world: MemoryWorld, turns: Scheduler, history: PollingHistory) => {
  const { processes: rules, teamSize = 1 } = history;
  const nowMs = (): number => world.now().getTime();
  const errors: Record<PollingSlot, number> = { 'poller 0': 0, 'poller 1': 0, publisher: 0 };
  const allErrors = new Set([0]);
  const begun = new Map<PollingSlot, number>();
  const isOver = (slot: PollingSlot): boolean =>
    slot !== 'publisher' && nowMs() >= (begun.get(slot) ?? 0) + longestRunMs;
  let overlongRuns = 0;

  const processes = createProcesses<PollingSlot>((faultFor, slot) => {
    let writeMs = 0;
    const timed: FaultInjector = (call) => {
      writeMs = teamSize > 1 && call.operation === 'TransactWriteItems' ? largeWriteMs : 0;
      return faultFor(call);
    };
    return world.start(timed, {
      clock: () => new Date(nowMs() + errors[slot]),
      pause: turns.sleep,
      turn: async () => {
        if (writeMs > 0) await turns.sleep(writeMs);
        await turns.take();
        if (isOver(slot)) throw new ProcessCrash();
      },
    });
  }, rules);

  return {
    processes,
    /** Delivers a tick to a poller, and aborts a run that takes too long. */
    async serve({ to, afterMs }: Tick) {
      const slot: PollingSlot = `poller ${to}`;
      await turns.sleep(afterMs);
      begun.set(slot, nowMs());
      log(() => `  ${slot} gets a tick at ${world.now().toISOString()}`);
      await world.tick(processes.of(slot));
      if (!isOver(slot)) return;
      overlongRuns += 1;
      processes.restart(slot);
    },
    /** Delivers waiting records to the publisher, at most so many at a time. */
    async publish(batch: number) {
      for (const shard of world.streams.waiting())
        await world.streams.deliver(shard, batch, (event) => processes.of('publisher').publish(event));
    },
    setClock(poller: 0 | 1, errorMs: number) {
      errors[`poller ${poller}`] = errorMs;
      allErrors.add(errorMs);
    },
    /** The largest difference between clocks, the right one included. */
    spreadMs: () => Math.max(...allErrors) - Math.min(...allErrors),
    overlongRuns: () => overlongRuns,
  };
};

type Machines = ReturnType<typeof createMachines>;

/** The state after a history, when nothing is waiting any more. */
export interface PlayedPolling {
  readonly world: MemoryWorld;
  readonly machines: Machines;
  readonly accounts: readonly {
    readonly userName: string;
    readonly timeZone: string;
    /** The contact centre’s agents at the end. */
    readonly agents: ReadonlyMap<string, Row>;
    readonly telephony: Telephony;
  }[];
  readonly lines: readonly string[];
  /** What was logged after the last fault. */
  readonly lastLines: readonly string[];
}

const slotMs = 15_000;

/** Longer than the longest back-off, which is five minutes. */
const longMs = 405_000;

const quiet: PollingStep = {
  slots: 0,
  moves: [[], []],
  answers: ['agents', 'agents'],
  answerMs: 0,
  ticks: [{ to: 0, afterMs: 0 }],
  publish: 100,
};

/** Plays a history in a new world, then some polls without faults, and publishes what is left. */
export const playPolling = async (history: PollingHistory): Promise<PlayedPolling> => {
  const lines: string[] = [];
  const nowMs = (): number => world.now().getTime();
  const turns = createScheduler(seededRandom(history.turnsSeed), () => world);
  const accounts = polledAccounts.map(({ userName, timeZone, baseUrl }) => {
    const centre = createCentre(history.teamSize ?? 1);
    return { userName, timeZone, baseUrl, centre, telephony: createTelephony(centre, nowMs, turns.sleep) };
  });
  const world = createMemoryWorld({
    startedAt: '2026-11-21T15:00:02.400Z',
    accounts: polledAccounts,
    turn: turns.take,
    onLine: (line) => lines.push(line),
    telephony: {
      post: async (request) =>
        accounts.find(({ baseUrl }) => request.url.startsWith(baseUrl))?.telephony.post(request) ??
        fail({ reason: 'connection' }),
    },
  });
  const machines = createMachines(world, turns, history);

  const act = async (step: PollingStep): Promise<void> => {
    for (const [index, { centre, telephony }] of accounts.entries()) {
      centre.move(step.moves[index] ?? []);
      telephony.answerWith(step.answers[index] ?? 'agents', step.answerMs);
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
    log(() => `Step ${index} at ${world.now().toISOString()}: ${JSON.stringify(step)}`);
    await act(step);
  }

  machines.processes.heal();
  for (const poller of [0, 1] as const) machines.setClock(poller, 0);
  log(() => 'No more faults from here on');
  const healedAt = lines.length;
  // Pending work takes some polls.
  for (const _again of (history.teamSize ?? 1) > 1 ? [1, 2, 3] : [1, 2]) {
    later(nowMs() + longMs);
    await act(quiet);
  }
  while (world.streams.waiting().length > 0) await turns.together([() => machines.publish(100)]);

  const final = accounts.map(({ centre, ...account }) => ({ ...account, agents: centre.agents() }));
  return { world, machines, accounts: final, lines, lastLines: lines.slice(healedAt) };
};

/** A process handles one batch of ticks at a time. */
const firstOfEach = (ticks: PollingStep['ticks']): PollingStep['ticks'] =>
  [...Map.groupBy(ticks, ({ to }) => to).values()].flatMap((own) => own.slice(0, 1));
