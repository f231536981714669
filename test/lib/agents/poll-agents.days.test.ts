import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentTable } from '../../../lib/agents/agent-rows.ts';
import type { TelephonyService } from '../../../lib/agents/get-agent-logins.ts';
import { localDate, startOfDay } from '../../../lib/core/instant.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import { between, chance, pick, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import { expectAllToAgree, floorSizes, playPorts, portsHistories } from '../../faults/schedules/agents/ports.ts';
import { expectTimelinesToAddUp, history } from '../../support/agent-history.ts';
import { crashingTable, kolkataAccount, manualClock, poller } from '../../support/agent-polling.ts';
import { memoryAgentTable } from '../../support/memory-agent-table.ts';
import { holdsAsync } from '../../support/property.ts';

describe('pollAgents, over days of changes, failures, deaths and rivals', () => {
  it.each([
    { size: floorSizes.small, runs: 150, what: 'whose changes fit into one write' },
    { size: floorSizes.large, runs: 12, what: 'that takes many writes, more than one run has time for' },
  ])('leaves timelines that add up, floors that agree, and each change told once: a floor $what', async (tried) => {
    await holdsAsync(
      fc.asyncProperty(portsHistories(tried.size), async (history) => {
        await expectAllToAgree(await playPorts(history));
      }),
      tried.runs * Number(process.env['FC_TIMES'] ?? 1),
    );
  });
});

const states = { READY: 'ready', INCALL: 'in-call', acw: 'acw', Idle: 'idle', Lunch: 'unknown' } as const;
const people = ['asha', 'zoe', 'omar', 'li', 'devi'];
const slotMs = 15_000;
const daySlots = 24 * 240;

/** Seconds by day, agent and state, kept by hand: whoever is seen is in that state until the next time anybody is seen. */
const expectedTotals = () => {
  const totals = new Map<string, number>();
  let last: { readonly at: number; readonly floor: ReadonlyMap<string, string> } | undefined;

  const add = (from: number, to: number, agentId: string, state: string) => {
    const day = localDate(new Date(from).toISOString(), kolkataAccount.timeZone);
    const next = localDate(new Date(to).toISOString(), kolkataAccount.timeZone);
    const midnight = day === next ? to : Date.parse(startOfDay(next, kolkataAccount.timeZone));
    const key = `${day} ${agentId} ${state}`;
    if (midnight > from) totals.set(key, (totals.get(key) ?? 0) + (midnight - from) / 1000);
    if (midnight < to) add(midnight, to, agentId, state);
  };
  return {
    totals,
    saw(at: number, floor: ReadonlyMap<string, string>) {
      for (const [agentId, state] of last?.floor ?? []) add(last?.at ?? at, at, agentId, state);
      last = { at, floor };
    },
  };
};

/** The same from the table: what each stretch says of its day; the open ones last until `until`. */
const totalsIn = (rows: Parameters<typeof history>[0], until: string) => {
  const totals = new Map<string, number>();
  for (const stretch of [...history(rows).intervalsOf.values()].flat()) {
    const from = String(stretch['from']);
    const seconds = (Date.parse(String(stretch['to'] ?? until)) - Date.parse(from)) / 1000;
    const key = `${localDate(from, kolkataAccount.timeZone)} ${stretch['agentId']} ${stretch['state']}`;
    if (seconds > 0) totals.set(key, (totals.get(key) ?? 0) + seconds);
  }
  return totals;
};

/** The table, and the feed's row as it was written last. */
const tableWithAsOf = () => {
  const table = memoryAgentTable();
  let asOf: unknown;
  const write: AgentTable['write'] = async (guard, together) => {
    const outcome = await table.write(guard, together);
    if (outcome === 'written') asOf = guard['asOf'];
    return outcome;
  };
  return { ...table, write, asOf: () => asOf };
};

/** A floor on which agents come, go and change state by chance. */
const randomAgents = (random: Random) => {
  const floor = new Map<string, keyof typeof states>();
  const service: TelephonyService = {
    async post() {
      if (chance(random, 0.03)) return fail({ reason: 'connection' });
      const message = [...floor].map(([AgentId, AgentState]) => ({ AgentId, AgentState }));
      return ok({ status: 200, text: JSON.stringify({ status: 'success', message }) });
    },
  };
  return {
    service,
    states: () => new Map([...floor].map(([agentId, state]) => [agentId, states[state]])),
    live() {
      for (const agentId of people) {
        if (chance(random, 0.02)) floor.delete(agentId);
        else if (chance(random, 0.06)) floor.set(agentId, pick(random, ['READY', 'INCALL', 'acw', 'Idle', 'Lunch']));
      }
    },
  };
};

describe('an agent’s day, polled in every slot of it', () => {
  it('adds up to the time in each state that was seen, whatever fails and whoever dies on the way', async () => {
    const random = seededRandom(7);
    // From before one midnight to after the next.
    const { clock, now, advance } = manualClock('2026-11-21T17:00:03.250Z');
    const table = tableWithAsOf();
    const floor = randomAgents(random);
    const book = expectedTotals();
    let running = poller(table, floor.service, clock);

    for (let slot = 0; slot < daySlots; slot++) {
      floor.live();
      if (chance(random, 0.02)) {
        await poller(crashingTable(table, between(random, 0, 14)), floor.service, clock).poll();
        running = poller(table, floor.service, clock);
      } else await running.poll();

      // The feed says which polls count; the floor of such a poll is the one that stands now.
      const seenAt = Math.floor(now() / 1000) * 1000;
      if (table.asOf() === new Date(seenAt).toISOString()) book.saw(seenAt, floor.states());
      advance(slotMs);
    }
    const rows = table.all();

    expect(book.totals.size).toBeGreaterThan(people.length * 3);
    expect([...totalsIn(rows, String(table.asOf()))].sort()).toEqual([...book.totals].sort());
    expectTimelinesToAddUp(rows, kolkataAccount.timeZone);
  }, 60_000);
});
