import { execFile } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type FloorRows, watchFloor } from '../../client/floor.ts';
import type { AgentNow, Floor } from '../../client/index.ts';
import { loggedIn } from '../support/posted-records.ts';
import { feedAtNoon } from './support/clients.ts';

const noon = Date.parse('2026-11-21T12:00:00.000Z');
const agent = (agentId: string): AgentNow => ({
  account: 'demo',
  ...loggedIn('2026-11-21T11:00:00.000Z', { AgentId: agentId }),
});

/** The agents as polled some seconds after noon. */
const polledAt = (seconds: number, ...agents: readonly AgentNow[]): FloorRows => ({
  feed: {
    ...feedAtNoon,
    asOf: new Date(noon + seconds * 1000).toISOString(),
    staleAt: new Date(noon + (seconds + 30) * 1000).toISOString(),
  },
  agents,
});

type Read = FloorRows | Error;

/** Watches the results of `reads`, the last one again and again. Pauses and reads move the clock. */
const watching = (reads: readonly Read[], more: { everySeconds?: number; onError?: (error: unknown) => void } = {}) => {
  const stop = new AbortController();
  const pauses: number[] = [];
  const looks: number[] = [];
  let now = noon;
  const floors = watchFloor({
    clock: () => new Date(now),
    async read() {
      const read = reads[Math.min(looks.length, reads.length - 1)];
      looks.push((now - noon) / 1000);
      if (read === undefined || read instanceof Error) throw read;
      return read;
    },
    async pause(ms) {
      pauses.push(ms / 1000);
      now += ms;
    },
    everyMs: (more.everySeconds ?? 5) * 1000,
    signal: stop.signal,
    onError: more.onError,
  });
  return { floors, stop, pauses, looks, moveClock: (seconds: number) => (now += seconds * 1000) };
};

/** The next values, each in a line. */
const next = async (floors: AsyncGenerator<Floor, void>, count: number): Promise<readonly unknown[]> => {
  const seen: unknown[] = [];
  while (seen.length < count) {
    const { value, done } = await floors.next();
    if (done === true || value === undefined) return [...seen, 'end'];
    const { freshness } = value;
    if (freshness === 'none') seen.push(freshness);
    else {
      const agents = freshness === 'live' ? value.agents : value.lastKnownAgents;
      seen.push(`${freshness} ${value.ageSeconds} ${agents.map(({ agentId }) => agentId)}`);
    }
  }
  return seen;
};

const asha = agent('asha');
const ravi = agent('ravi');

describe('watchFloor', () => {
  it('yields again when agents or asOf change, and only then', async () => {
    const floors = [polledAt(0, asha), polledAt(0, asha), polledAt(0, asha, ravi), polledAt(15, asha, ravi)];
    const watched = watching(floors);

    expect(await next(watched.floors, 3)).toEqual(['live 0 asha', 'live 10 asha,ravi', 'live 0 asha,ravi']);
    expect(watched.looks).toEqual([0, 5, 10, 15]);
  });

  it('yields freshness none once, and then the first agents', async () => {
    const nothing = { feed: undefined, agents: [] };
    const { floors } = watching([nothing, nothing, polledAt(5, asha)]);

    expect(await next(floors, 2)).toEqual(['none', 'live 5 asha']);
  });

  it('yields stale agents a millisecond after staleAt, though nothing is written, and the end of the interruption', async () => {
    const lasting = Array.from({ length: 6 }, () => polledAt(0, asha));
    const { floors, looks } = watching([...lasting, polledAt(40, asha)], { everySeconds: 7 });

    expect(await next(floors, 3)).toEqual(['live 0 asha', 'stale 30.001 asha', 'live 2 asha']);
    expect(looks).toEqual([0, 7, 14, 21, 28, 35, 42]);
  });

  it('yields stale agents as soon as the row is interrupted', async () => {
    const { feed } = polledAt(0);
    const interrupted = { feed: feed && { ...feed, status: 'interrupted' as const }, agents: [asha] };

    expect(await next(watching([polledAt(0, asha), interrupted]).floors, 2)).toEqual(['live 0 asha', 'stale 5 asha']);
  });

  it('reads at once after a slow loop, and waits one interval at most after the clock was set back', async () => {
    const { floors, moveClock, pauses } = watching([polledAt(0), polledAt(1), polledAt(2)]);
    await next(floors, 1);
    moveClock(20);
    await next(floors, 1);
    expect(pauses).toEqual([]);

    moveClock(-3600);
    await next(floors, 1);
    expect(pauses).toEqual([5]);
  });

  it('throws the error of a failed read', async () => {
    const { floors } = watching([polledAt(0, asha), new Error('throttled')]);
    await next(floors, 1);

    await expect(floors.next()).rejects.toThrow('throttled');
    expect(await next(floors, 1)).toEqual(['end']);
  });

  it('passes errors to onError, lets the last agents become stale, and continues', async () => {
    const failures: unknown[] = [];
    const throttled = new Error('throttled');
    const failed = Array.from({ length: 7 }, () => throttled);
    const { floors, looks } = watching([polledAt(0, asha), ...failed, polledAt(40, asha)], {
      onError: (error) => failures.push(error),
    });

    expect(await next(floors, 3)).toEqual(['live 0 asha', 'stale 30.001 asha', 'live 0 asha']);
    expect(failures).toEqual(failed);
    expect(looks).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40]);
  });

  it('passes the error of a first read to onError, and yields nothing until one succeeds', async () => {
    const failures: unknown[] = [];
    const { floors } = watching([new Error('rejected'), polledAt(5, asha)], {
      onError: (error) => failures.push(error),
    });

    expect(await next(floors, 1)).toEqual(['live 0 asha']);
    expect(failures).toHaveLength(1);
  });

  it('yields nothing if the signal is already aborted', async () => {
    const { floors, stop, looks } = watching([polledAt(0)]);
    stop.abort();

    expect(await next(floors, 1)).toEqual(['end']);
    expect(looks).toEqual([]);
  });

  it.each(['read', 'pause'] as const)('ends without an error when it is aborted in a %s', async (place) => {
    const stop = new AbortController();
    const errors: unknown[] = [];
    const begun = Promise.withResolvers<void>();
    const hang = async () => {
      begun.resolve();
      await once(stop.signal, 'abort');
      throw stop.signal.reason;
    };
    const floors = watchFloor({
      clock: () => new Date(noon),
      read: place === 'read' ? hang : async () => polledAt(0),
      pause: place === 'pause' ? hang : async () => undefined,
      everyMs: 5000,
      signal: stop.signal,
      onError: (error: unknown) => errors.push(error),
    });
    if (place === 'pause') await floors.next();

    const following = floors.next();
    await begun.promise;
    stop.abort();

    expect(await following).toEqual({ done: true, value: undefined });
    expect(errors).toEqual([]);
  });

  it('reads nothing after the loop was left', async () => {
    const { floors, looks, pauses } = watching([polledAt(0), polledAt(5)]);
    for await (const _ of floors) break;

    expect(await next(floors, 1)).toEqual(['end']);
    expect([looks, pauses]).toEqual([[0], []]);
  });
});

it('watching leaves no timer behind, after an abort or a break', async () => {
  const script = path.join(import.meta.dirname, 'support/watch-for-a-moment.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script]);

  expect(stdout).toBe('paused: true\nover: true\nnone\n');
});
