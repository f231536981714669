import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentsById,
  applyChanges,
  countsByState,
  diffAgents,
  isLoggedOut,
  loggedInAgents,
} from '../../../lib/agents/diff-agents.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import type { Interval } from '../../../lib/agents/schema.ts';
import { localDate, startOfDay } from '../../../lib/core/time.ts';
import { arbitraryPolls, arbitraryStart, arbitraryZone, holds } from '../../support/arbitraries.ts';
import { moment, received } from '../../support/posted-records.ts';

type Polls = typeof arbitraryPolls extends fc.Arbitrary<infer Value> ? Value : never;

/** The agents after every poll, and each agent's timeline. */
const history = (polls: Polls, startMs: number, zone: string) => {
  const timelines = new Map<string, Map<string, Interval>>();
  let agents: AgentsById = new Map();
  let ms = startMs;
  const polled = polls.map(({ afterSeconds, records }) => {
    ms += afterSeconds * 1000;
    const at = new Date(ms).toISOString();
    const before = agents;
    const loggedIn = loggedInAgents(agents, normaliseAgentLogins(records.map(received)));
    const changes = diffAgents(agents, loggedIn, moment(at, zone));
    for (const { agentId, timeline } of changes)
      for (const interval of timeline) {
        const rows = timelines.get(agentId) ?? new Map<string, Interval>();
        timelines.set(agentId, rows.set(interval.from, interval));
      }
    agents = applyChanges(agents, changes);
    return { at, loggedIn, before, changes, agents };
  });
  const all = [...timelines].map(([agentId, rows]) => ({
    agentId,
    intervals: [...rows.values()].sort((a, b) => (a.from < b.from ? -1 : 1)),
  }));
  return { polled, timelines: all };
};

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** How long each agent was in each state. */
const sums = (
  parts: readonly (Pick<Interval, 'agentId' | 'state' | 'stateAsSent'> & { from: string; to: string })[],
) => {
  const seconds = new Map<string, number>();
  for (const { agentId, state, stateAsSent, from, to } of parts) {
    const name = `${agentId} ${state === 'unknown' ? stateAsSent?.toLowerCase() : state}`;
    seconds.set(name, (seconds.get(name) ?? 0) + secondsBetween(from, to));
  }
  return seconds;
};

const loggedInOf = (agents: AgentsById) => [...agents.values()].filter((agent) => !isLoggedOut(agent));

const always = (check: (seen: ReturnType<typeof history>, zone: string) => void) =>
  holds(
    fc.property(arbitraryPolls, arbitraryStart, arbitraryZone, (polls, startMs, zone) =>
      check(history(polls, startMs, zone), zone),
    ),
  );

describe('timelines, whatever polls show', () => {
  it('never overlap, and have a gap only while the agent was logged out', () => {
    always(({ polled, timelines }) => {
      for (const { agentId, intervals } of timelines)
        for (const [index, next] of intervals.slice(1).entries()) {
          const to = intervals[index]?.to ?? 'open';
          expect(to <= next.from).toBe(true);
          const away = polled.filter(({ at }) => at >= to && at < next.from).flatMap(({ loggedIn }) => loggedIn);
          expect(away.map((agent) => agent.agentId)).not.toContain(agentId);
        }
    });
  });

  it('add up to the time in which the agent was seen in each state', () => {
    always(({ polled, timelines }) => {
      const end = polled.at(-1)?.at ?? '';
      const seen = polled.flatMap(({ at: from, loggedIn }, index) =>
        loggedIn.map((agent) => ({ ...agent, from, to: polled[index + 1]?.at ?? end })),
      );
      const published = timelines.flatMap(({ intervals }) => intervals);

      expect(sums(published.map((interval) => ({ ...interval, to: interval.to ?? end })))).toEqual(sums(seen));
      for (const { from, to, seconds } of published) expect(seconds).toBe(to && secondsBetween(from, to));
    });
  });

  it('have intervals within one local day, and none that is empty', () => {
    always(({ timelines }, zone) => {
      for (const { from, to, since } of timelines.flatMap(({ intervals }) => intervals)) {
        expect(since <= from).toBe(true);
        if (since !== from) expect(from).toBe(startOfDay(localDate(from, zone), zone));
        if (to === undefined) continue;
        expect(from < to).toBe(true);
        expect(localDate(new Date(Date.parse(to) - 1).toISOString(), zone)).toBe(localDate(from, zone));
      }
    });
  });

  it('have an open interval of today for exactly the logged-in agents', () => {
    always(({ polled, timelines }, zone) => {
      const last = polled.at(-1);
      const open = timelines.flatMap(({ intervals }) => intervals.filter(({ to }) => to === undefined));
      const loggedIn = loggedInOf(last?.agents ?? new Map());

      expect(open.map(({ agentId, state, from }) => [agentId, state, from]).sort()).toEqual(
        loggedIn.map(({ agentId, state, intervalFrom }) => [agentId, state, intervalFrom]).sort(),
      );
      for (const { from } of open) expect(localDate(from, zone)).toBe(localDate(last?.at ?? '', zone));
    });
  });
});

describe('agents, whatever polls show', () => {
  it('are exactly those who were seen, and are counted', () => {
    always(({ polled }) => {
      for (const { loggedIn, agents } of polled) {
        const present = loggedInOf(agents);
        const counted = Object.values(countsByState(agents)).reduce((sum, count) => sum + count, 0);

        expect(present.map(({ agentId, state }) => [agentId, state]).sort()).toEqual(
          loggedIn.map(({ agentId, state }) => [agentId, state]).sort(),
        );
        expect(counted).toBe(loggedIn.length);
      }
    });
  });

  it('have versions without a gap, from 1 with each log-in', () => {
    always(({ polled }) => {
      const changed = polled.flatMap(({ before, changes }) =>
        changes.map((change) => ({ known: before.get(change.agentId), change })),
      );
      for (const { known, change } of changed) {
        const version = change.after?.version ?? 0;
        const isNew = known === undefined || isLoggedOut(known);
        const last = isNew || change.after === undefined ? 0 : known.version;

        expect([last, last + 1]).toContain(version);
        if (isNew && change.after)
          expect(change.after).toMatchObject({ version: 1, since: change.after.loggedInSince });
      }
    });
  });

  it('are the same in whatever portions changes are written, and however often a run is aborted', () => {
    holds(
      fc.property(
        arbitraryPolls,
        arbitraryStart,
        arbitraryZone,
        fc.infiniteStream(fc.boolean()),
        (polls, startMs, zone, coin) => {
          for (const { at, loggedIn, before, changes, agents } of history(polls, startMs, zone).polled) {
            let written = before;
            const rows = new Map<string, Interval>();
            for (let left = changes; left.length > 0; ) {
              const portion = left.filter(() => coin.next().value);
              for (const interval of portion.flatMap(({ timeline }) => timeline))
                rows.set(`${interval.agentId} ${interval.from} ${interval.to}`, interval);
              written = applyChanges(written, portion);
              left = diffAgents(written, loggedIn, moment(at, zone)).filter((change) => change.after !== undefined);
            }

            expect(loggedInOf(written).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1))).toEqual(
              loggedInOf(agents).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1)),
            );
            expect(rows.size).toBe(changes.flatMap(({ timeline }) => timeline).length);
          }
        },
      ),
      100,
    );
  });
});
