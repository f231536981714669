import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoggedOut } from '../../../lib/agents/agent.ts';
import {
  type AgentsById,
  applyChanges,
  countsByState,
  diffAgents,
  loggedInAgents,
} from '../../../lib/agents/diff-agents.ts';
import type { Interval } from '../../../lib/agents/interval.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import { localDate, startOfDay } from '../../../lib/core/instant.ts';
import { moment } from '../../support/agents.ts';
import { arbitraryPolls, arbitraryStart, arbitraryZone } from '../../support/arbitraries.ts';
import { received } from '../../support/call-records.ts';
import { holds } from '../../support/property.ts';

type Polls = typeof arbitraryPolls extends fc.Arbitrary<infer Value> ? Value : never;

/** What every poll left: the agents, and each agent's timeline by where its pieces begin. */
const history = (polls: Polls, startMs: number, zone: string) => {
  const timelines = new Map<string, Map<string, Interval>>();
  let agents: AgentsById = new Map();
  let ms = startMs;
  const taken = polls.map(({ afterSeconds, records }) => {
    ms += afterSeconds * 1000;
    const at = new Date(ms).toISOString();
    const before = agents;
    const there = loggedInAgents(agents, normaliseAgentLogins(records.map(received)));
    const steps = diffAgents(agents, there, moment(at, zone));
    for (const { agentId, timeline } of steps)
      for (const stretch of timeline) {
        const rows = timelines.get(agentId) ?? new Map<string, Interval>();
        timelines.set(agentId, rows.set(stretch.from, stretch));
      }
    agents = applyChanges(agents, steps);
    return { at, there, before, steps, agents };
  });
  const pieces = [...timelines].map(([agentId, rows]) => ({
    agentId,
    stretches: [...rows.values()].sort((a, b) => (a.from < b.from ? -1 : 1)),
  }));
  return { taken, pieces };
};

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** How long each agent was in each state, by pieces of time. */
const sums = (
  pieces: readonly (Pick<Interval, 'agentId' | 'state' | 'stateAsSent'> & { from: string; to: string })[],
) => {
  const seconds = new Map<string, number>();
  for (const { agentId, state, stateAsSent, from, to } of pieces) {
    const name = `${agentId} ${state === 'unknown' ? stateAsSent?.toLowerCase() : state}`;
    seconds.set(name, (seconds.get(name) ?? 0) + secondsBetween(from, to));
  }
  return seconds;
};

const floorOf = (agents: AgentsById) => [...agents.values()].filter((agent) => !isLoggedOut(agent));

const always = (check: (seen: ReturnType<typeof history>, zone: string) => void) =>
  holds(
    fc.property(arbitraryPolls, arbitraryStart, arbitraryZone, (polls, startMs, zone) =>
      check(history(polls, startMs, zone), zone),
    ),
  );

describe('timelines, whatever polls show', () => {
  it('never overlap, and have a gap only where the agent was away', () => {
    always(({ taken, pieces }) => {
      for (const { agentId, stretches } of pieces)
        for (const [index, next] of stretches.slice(1).entries()) {
          const to = stretches[index]?.to ?? 'open';
          expect(to <= next.from).toBe(true);
          const away = taken.filter(({ at }) => at >= to && at < next.from).flatMap(({ there }) => there);
          expect(away.map((agent) => agent.agentId)).not.toContain(agentId);
        }
    });
  });

  it('add up to the time in which the agent was seen in each state', () => {
    always(({ taken, pieces }) => {
      const end = taken.at(-1)?.at ?? '';
      const seen = taken.flatMap(({ at: from, there }, index) =>
        there.map((agent) => ({ ...agent, from, to: taken[index + 1]?.at ?? end })),
      );
      const told = pieces.flatMap(({ stretches }) => stretches);

      expect(sums(told.map((stretch) => ({ ...stretch, to: stretch.to ?? end })))).toEqual(sums(seen));
      for (const { from, to, seconds } of told) expect(seconds).toBe(to && secondsBetween(from, to));
    });
  });

  it('have pieces that begin and end within one local day, and none that is empty', () => {
    always(({ pieces }, zone) => {
      for (const { from, to, since } of pieces.flatMap(({ stretches }) => stretches)) {
        expect(since <= from).toBe(true);
        if (since !== from) expect(from).toBe(startOfDay(localDate(from, zone), zone));
        if (to === undefined) continue;
        expect(from < to).toBe(true);
        expect(localDate(new Date(Date.parse(to) - 1).toISOString(), zone)).toBe(localDate(from, zone));
      }
    });
  });

  it('have an open piece for exactly those who are there, of today', () => {
    always(({ taken, pieces }, zone) => {
      const last = taken.at(-1);
      const open = pieces.flatMap(({ stretches }) => stretches.filter(({ to }) => to === undefined));
      const there = floorOf(last?.agents ?? new Map());

      expect(open.map(({ agentId, state, from }) => [agentId, state, from]).sort()).toEqual(
        there.map(({ agentId, state, intervalFrom }) => [agentId, state, intervalFrom]).sort(),
      );
      for (const { from } of open) expect(localDate(from, zone)).toBe(localDate(last?.at ?? '', zone));
    });
  });
});

describe('the floor, whatever polls show', () => {
  it('has exactly those who are there, as they were seen, and counts them', () => {
    always(({ taken }) => {
      for (const { there, agents } of taken) {
        const floor = floorOf(agents);
        const counted = Object.values(countsByState(agents)).reduce((sum, count) => sum + count, 0);

        expect(floor.map(({ agentId, state }) => [agentId, state]).sort()).toEqual(
          there.map(({ agentId, state }) => [agentId, state]).sort(),
        );
        expect(counted).toBe(there.length);
      }
    });
  });

  it('counts versions of an agent without a gap, from 1 with each log-in', () => {
    always(({ taken }) => {
      const taking = taken.flatMap(({ before, steps }) =>
        steps.map((step) => ({ known: before.get(step.agentId), step })),
      );
      for (const { known, step } of taking) {
        const version = step.after?.version ?? 0;
        const isNew = known === undefined || isLoggedOut(known);
        const last = isNew || step.after === undefined ? 0 : known.version;

        expect([last, last + 1]).toContain(version);
        if (isNew && step.after) expect(step.after).toMatchObject({ version: 1, since: step.after.loggedInSince });
      }
    });
  });

  it('comes out the same in whatever portions steps are written, and however often a run is cut', () => {
    holds(
      fc.property(
        arbitraryPolls,
        arbitraryStart,
        arbitraryZone,
        fc.infiniteStream(fc.boolean()),
        (polls, startMs, zone, coin) => {
          for (const { at, there, before, steps, agents } of history(polls, startMs, zone).taken) {
            let written = before;
            const rows = new Map<string, Interval>();
            for (let left = steps; left.length > 0; ) {
              const portion = left.filter(() => coin.next().value);
              for (const stretch of portion.flatMap(({ timeline }) => timeline))
                rows.set(`${stretch.agentId} ${stretch.from} ${stretch.to}`, stretch);
              written = applyChanges(written, portion);
              left = diffAgents(written, there, moment(at, zone)).filter((step) => step.after !== undefined);
            }

            expect(floorOf(written).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1))).toEqual(
              floorOf(agents).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1)),
            );
            expect(rows.size).toBe(steps.flatMap(({ timeline }) => timeline).length);
          }
        },
      ),
      100,
    );
  });
});
