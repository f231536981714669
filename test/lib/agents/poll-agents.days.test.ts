import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentTable } from '../../../lib/agents/agent-rows.ts';
import type { TelephonyService } from '../../../lib/agents/get-agent-logins.ts';
import { localDate, startOfDay } from '../../../lib/core/instant.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import { between, chance, pick, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import { expectAllToAgree, floorSizes, playPorts, portsHistories } from '../../faults/schedules/agents/ports.ts';
import { expectTimelinesToAddUp, history } from '../../support/agent-history.ts';
import { crashingTable, kolkataAccount, manualClock, poller, slotMs } from '../../support/agent-polling.ts';
import { memoryAgentTable } from '../../support/memory-agent-table.ts';
import { holdsAsync } from '../../support/property.ts';

const { timeZone } = kolkataAccount;

describe('pollAgents, over days of changes, failures, crashes and concurrent runs', () => {
  it.each([
    { size: floorSizes.small, runs: 15, maxPolls: 30, what: 'changes that fit into one write' },
    { size: floorSizes.large, runs: 2, maxPolls: 15, what: 'changes that need more writes than one run has time for' },
  ])('keeps timelines, snapshots and events consistent: $what', async ({ size, runs, maxPolls }) => {
    await holdsAsync(
      fc.asyncProperty(portsHistories(size, maxPolls), async (polls) => {
        await expectAllToAgree(await playPorts(polls));
      }),
      runs * Number(process.env['FC_TIMES'] ?? 1),
    );
  });

  it('gives each agent the time in each state that was seen, from before one midnight to after the next', async () => {
    const random = seededRandom(7);
    const { clock, now, advance } = manualClock('2026-11-21T17:00:03.250Z');
    const table = tableWithAsOf();
    const centre = randomAgents(random);
    const expected = expectedTotals();
    let running = poller(table, centre.service, clock);

    for (let poll = 0; poll < 300; poll++) {
      centre.change();
      if (chance(random, 0.05)) {
        await poller(crashingTable(table, between(random, 0, 14)), centre.service, clock).poll();
        running = poller(table, centre.service, clock);
      } else await running.poll();

      // Whether a poll counts is known from the feed.
      const requestedAt = Math.floor(now() / 1000) * 1000;
      if (table.asOf() === new Date(requestedAt).toISOString()) expected.observe(requestedAt, centre.states());
      advance(slotMs * pick(random, [1, 1, 90]));
    }
    const rows = table.all();

    expect(new Set([...expected.totals.keys()].map((key) => key.slice(0, 10))).size).toBeGreaterThan(2);
    expect([...totalsIn(rows, String(table.asOf()))].sort()).toEqual([...expected.totals].sort());
    expectTimelinesToAddUp(rows, timeZone);
  });
});

const states = { READY: 'ready', INCALL: 'in-call', acw: 'acw', Idle: 'idle', Lunch: 'unknown' } as const;

/** Agents who log in, log out and change state at random. */
const randomAgents = (random: Random) => {
  const present = new Map<string, keyof typeof states>();
  const service: TelephonyService = {
    async post() {
      if (chance(random, 0.03)) return fail({ reason: 'connection' });
      const message = [...present].map(([AgentId, AgentState]) => ({ AgentId, AgentState }));
      return ok({ status: 200, text: JSON.stringify({ status: 'success', message }) });
    },
  };
  return {
    service,
    states: () => new Map([...present].map(([agentId, state]) => [agentId, states[state]])),
    change() {
      for (const agentId of ['asha', 'zoe', 'omar', 'li', 'devi']) {
        if (chance(random, 0.04)) present.delete(agentId);
        else if (chance(random, 0.12)) present.set(agentId, pick(random, ['READY', 'INCALL', 'acw', 'Idle', 'Lunch']));
      }
    },
  };
};

/** A table, and `asOf` of the feed that was written last. */
const tableWithAsOf = () => {
  const table = memoryAgentTable();
  let asOf: unknown;
  const write: AgentTable['write'] = async (row, alongside) => {
    const outcome = await table.write(row, alongside);
    if (outcome === 'written') asOf = row['asOf'];
    return outcome;
  };
  return { ...table, write, asOf: () => asOf };
};

/** Seconds by day, agent and state, independent of the poller: an observed state lasts until the next observation. */
const expectedTotals = () => {
  const totals = new Map<string, number>();
  let last: { readonly at: number; readonly present: ReadonlyMap<string, string> } | undefined;

  const add = (from: number, to: number, agentId: string, state: string) => {
    const day = localDate(new Date(from).toISOString(), timeZone);
    const next = localDate(new Date(to).toISOString(), timeZone);
    const midnight = day === next ? to : Date.parse(startOfDay(next, timeZone));
    const key = `${day} ${agentId} ${state}`;
    if (midnight > from) totals.set(key, (totals.get(key) ?? 0) + (midnight - from) / 1000);
    if (midnight < to) add(midnight, to, agentId, state);
  };
  return {
    totals,
    observe(at: number, present: ReadonlyMap<string, string>) {
      for (const [agentId, state] of last?.present ?? []) add(last?.at ?? at, at, agentId, state);
      last = { at, present };
    },
  };
};

/** The same from the intervals in the table. Open ones last until `until`. */
const totalsIn = (rows: Parameters<typeof history>[0], until: string) => {
  const totals = new Map<string, number>();
  for (const interval of [...history(rows).intervalsOf.values()].flat()) {
    const from = String(interval['from']);
    const seconds = (Date.parse(String(interval['to'] ?? until)) - Date.parse(from)) / 1000;
    const key = `${localDate(from, timeZone)} ${interval['agentId']} ${interval['state']}`;
    if (seconds > 0) totals.set(key, (totals.get(key) ?? 0) + seconds);
  }
  return totals;
};
