import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentsById,
  applyChanges,
  changeOf,
  countsByState,
  diffAgents,
  isLoggedOut,
  loggedInAgents,
} from '../../../lib/agents/diff-agents.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import type { AgentFacts, Interval } from '../../../lib/agents/schema.ts';
import { localDate, startOfDay } from '../../../lib/core/time.ts';
import { arbitraryPolls, arbitraryStart, arbitraryZone, holds } from '../../support/arbitraries.ts';
import { agentFacts, agentsOf, loggedIn, moment, received } from '../../support/posted-records.ts';

describe('changeOf', () => {
  const began = '2026-11-20T06:00:00.000Z';
  const then = moment('2026-11-20T06:00:15.000Z');
  const posted = { AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales, Support' };
  const asha = loggedIn(began, posted);
  const seenAs = (changed: object) => agentFacts({ ...posted, ...changed });

  const loggedOutAsha = () => {
    const agent = changeOf(asha, undefined, then)?.after;
    if (agent === undefined) throw new Error('not logged out');
    return agent;
  };

  /** The interval that began with the log-in: open, or closed at an instant. */
  const ready = (to?: string, seconds?: number) => ({
    agentId: 'asha',
    state: 'ready',
    stateAsSent: 'READY',
    since: began,
    from: began,
    ...(to && { to, seconds }),
  });

  it('logs in an agent who was not known', () => {
    expect(changeOf(undefined, seenAs({}), moment(began))).toEqual({
      agentId: 'asha',
      before: undefined,
      after: {
        agentId: 'asha',
        name: 'Asha',
        phoneNumber: '1',
        skills: ['Sales', 'Support'],
        state: 'ready',
        stateAsSent: 'READY',
        since: began,
        loggedInSince: began,
        version: 1,
        changedAt: began,
        recordedAt: '2026-11-20T06:00:00.300Z',
        intervalFrom: began,
      },
      timeline: [ready()],
    });
  });

  it('changes the state, closes its interval and opens the next', () => {
    const change = changeOf(asha, seenAs({ AgentState: 'INCALL' }), then);

    const state = { state: 'in-call', stateAsSent: 'INCALL', since: then.at, intervalFrom: then.at };
    expect(change?.after).toEqual({
      ...asha,
      ...state,
      version: 2,
      changedAt: then.at,
      recordedAt: then.recordedAt,
    });
    expect(change?.timeline).toEqual([
      ready(then.at, 15),
      { agentId: 'asha', state: 'in-call', stateAsSent: 'INCALL', since: then.at, from: then.at },
    ]);
  });

  it.each([
    ['the name', { AgentName: 'Asha Rao' }, { name: 'Asha Rao' }],
    ['the number', { PhoneNumber: '2' }, { phoneNumber: '2' }],
    ['a skill more', { SkillName: 'Sales, Support, VIP' }, { skills: ['Sales', 'Support', 'VIP'] }],
    ['a skill less', { SkillName: 'Sales' }, { skills: ['Sales'] }],
    ['no name any more', { AgentName: '' }, { name: undefined }],
    ['no skills any more', { SkillName: '' }, { skills: undefined }],
  ])('changes details and not the timeline: %s', (_title, changed, details) => {
    const change = changeOf(asha, seenAs(changed), then);

    expect(change?.after).toEqual({ ...asha, ...details, version: 2, changedAt: then.at, recordedAt: then.recordedAt });
    expect(change?.timeline).toEqual([]);
  });

  it.each([
    ['the state', { AgentState: 'ACW' }],
    ['the name', { AgentName: 'Asha Rao' }],
  ])('takes undocumented fields and the order of skills with a change of %s', (_title, changed) => {
    const before = loggedIn(began, { ...posted, Calls: '6', Team: 'x' });
    const seen = seenAs({ ...changed, SkillName: 'Support, Sales', Calls: '7' });

    expect(changeOf(before, seen, then)?.after).toMatchObject({ extra: { Calls: '7' }, skills: ['Support', 'Sales'] });
    expect(changeOf(before, seenAs(changed), then)?.after?.extra).toBeUndefined();
    expect(changeOf(before, undefined, then)?.after).toMatchObject({ extra: { Calls: '6', Team: 'x' } });
  });

  it('leaves undocumented fields and the order of skills as published where only the day is new', () => {
    const midnight = moment('2026-11-20T18:30:15.000Z');
    const { after } = changeOf(asha, seenAs({ SkillName: 'Support, Sales', Calls: '7' }), midnight) ?? {};

    expect(after).toEqual({ ...asha, intervalFrom: '2026-11-20T18:30:00.000Z' });
  });

  it.each([
    ['nothing', {}],
    ['the same word in another letter case', { AgentState: 'Ready' }],
    ['the same word in another spelling', { AgentState: 'Rea_dy' }],
    ['skills in another order', { SkillName: 'Support,Sales' }],
    ['a skill twice', { SkillName: 'Sales, Support, Sales' }],
    ['an undocumented field', { Calls: '7' }],
  ])('writes nothing where %s is new', (_title, changed) => {
    expect(changeOf(asha, seenAs(changed), then)).toBeUndefined();
  });

  it.each([
    ['another unknown word', 'Lunch', 'Tea', true],
    ['the same unknown word in another letter case', 'Lunch', 'LUNCH', false],
    ['an unknown word after a known one', 'READY', 'Lunch', true],
    ['a known word after an unknown one', 'Lunch', 'READY', true],
  ])('compares unknown words: %s', (_title, before, after, isChange) => {
    const change = changeOf(loggedIn(began, { AgentState: before }), agentFacts({ AgentState: after }), then);

    expect(change !== undefined).toBe(isChange);
    if (isChange) expect(change?.after).toMatchObject({ stateAsSent: after, version: 2, since: then.at });
  });

  it('logs out an agent who is missing, and leaves the row for the stream', () => {
    const change = changeOf(asha, undefined, then);
    const { stateAsSent: _sent, ...known } = asha;

    expect(change?.after).toEqual({
      ...known,
      state: 'logged-out',
      since: then.at,
      version: 2,
      changedAt: then.at,
      recordedAt: then.recordedAt,
    });
    expect(change?.timeline).toEqual([ready(then.at, 15)]);
  });

  it('removes the row of an agent who has logged out', () => {
    const before = loggedOutAsha();

    expect(changeOf(before, undefined, then)).toEqual({ agentId: 'asha', before, after: undefined, timeline: [] });
  });

  it('logs in an agent whose row still has the log-out', () => {
    const before = loggedOutAsha();
    const again = moment('2026-11-20T06:00:30.000Z');

    expect(changeOf(before, seenAs({}), again)).toEqual({ ...changeOf(undefined, seenAs({}), again), before });
  });

  it('changes nothing for an unknown agent who is missing', () => {
    expect(changeOf(undefined, undefined, then)).toBeUndefined();
  });
});

describe('an answer', () => {
  const began = '2026-11-20T06:00:00.000Z';
  const asha = loggedIn(began, { AgentId: 'asha', AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales' });
  const ravi = loggedIn(began, { AgentId: 'ravi', AgentName: 'Ravi', PhoneNumber: '2', AgentState: 'ACW' });
  const meera = loggedIn(began, { AgentId: 'meera', AgentName: 'Meera', PhoneNumber: '3' });
  const known = agentsOf(asha, ravi, meera);

  const later = moment('2026-11-20T06:00:15.000Z');
  const ready = (AgentId: string) => ({ AgentId, AgentState: 'READY' });
  const loggedInAfter = (records: readonly unknown[], before = known) =>
    loggedInAgents(before, normaliseAgentLogins(records.map(received)));
  const idsOf = (agents: readonly { readonly agentId: string }[]) => agents.map(({ agentId }) => agentId).sort();

  it.each<[string, readonly unknown[], readonly string[]]>([
    ['nobody who is missing', [ready('asha')], ['asha']],
    ['nobody, where it is empty', [], []],
    ['an agent who is named without a state', [ready('asha'), { AgentId: 'ravi' }], ['asha', 'ravi']],
    ['not one of the same name, where an id is', [{ AgentId: 'ravi', AgentName: 'Asha' }, ready('x')], ['ravi', 'x']],
    ['an agent named with a nested id', [ready('asha'), { AgentId: ['ravi'], AgentName: 'Ravi' }], ['asha', 'ravi']],
    ['an agent with the number of no id', [ready('asha'), { AgentName: 'R.', PhoneNumber: 2 }], ['asha', 'ravi']],
    ['everybody for an empty record', [ready('asha'), null], ['asha', 'meera', 'ravi']],
    ['nobody new for an unreadable record', [ready('asha'), { AgentId: 'new' }, { AgentName: 'New' }], ['asha']],
  ])('leaves logged in: %s', (_title, records, ids) => {
    expect(idsOf(loggedInAfter(records))).toEqual(ids);
  });

  it('does not change an agent whom an unreadable record may mean', () => {
    const present = loggedInAfter([ready('asha'), { AgentId: 'ravi', AgentName: 'Another' }]);

    expect(present.find(({ agentId }) => agentId === 'ravi')).toEqual({
      agentId: 'ravi',
      name: 'Ravi',
      phoneNumber: '2',
      state: 'acw',
      stateAsSent: 'ACW',
      skills: undefined,
    });
    expect(diffAgents(agentsOf(ravi), present, later).map(({ agentId }) => agentId)).toEqual(['asha']);
  });

  it('leaves logged in an agent without a known name, where a record without an id may mean them', () => {
    const zoe = agentsOf(loggedIn(began, { AgentId: 'zoe' }));

    expect(idsOf(loggedInAfter([ready('x'), { AgentName: 'Zoe' }], zoe))).toEqual(['x', 'zoe']);
    expect(idsOf(loggedInAfter([ready('x'), { AgentId: 'ravi', AgentName: 'Zoe' }], zoe))).toEqual(['x']);
  });

  it('logs in nobody who has just logged out for an unreadable record', () => {
    const loggedOut = diffAgents(known, [], later).flatMap((change) => change.after ?? []);

    expect(idsOf(loggedOut)).toEqual(['asha', 'meera', 'ravi']);
    expect(idsOf(loggedInAfter([ready('x'), null], agentsOf(...loggedOut)))).toEqual(['x']);
  });

  it('has one change for each agent, in the order of ids, and counts the agents by state', () => {
    const present = loggedInAfter([ready('zoe'), ready('ravi'), { AgentId: 'bo', AgentState: 'Tea' }]);
    const changes = diffAgents(known, present, later);

    expect(changes.map(({ agentId }) => agentId)).toEqual(['asha', 'bo', 'meera', 'ravi', 'zoe']);
    expect(countsByState(applyChanges(known, changes))).toEqual({ ready: 2, unknown: 1 });
    expect(countsByState(new Map())).toEqual({});
  });
});

/** The change after a state has lasted from one instant to another. */
const changeAfter = (zone: string, start: string, at: string, state = 'READY') =>
  changeOf(loggedIn(start, {}, zone), agentFacts({ AgentState: state }), moment(at, zone));

/** The intervals in November, such as `20 18:29:50 to 20 18:30:00 10`. */
const novemberIn = (change: ReturnType<typeof changeOf>) =>
  change?.timeline.map(({ from, to = '', seconds = '' }) =>
    `${from} to ${to} ${seconds}`.replace(/2026-11-(\d\d)T([\d:]+)\.000Z/g, '$1 $2').trim(),
  );

/** Midnight in Kolkata is at 18:30 UTC. */
describe('a state that lasts over midnight', () => {
  it.each<[string, start: string, polled: string, state: string, intervals: readonly string[]]>([
    [
      'begins a new interval',
      ...(['20 18:29:50', '20 18:30:05', 'READY'] as const),
      ['20 18:29:50 to 20 18:30:00 10', '20 18:30:00 to'],
    ],
    [
      'begins one for each of several days, after a time without polls',
      ...(['20 06:00:00', '21 19:00:00', 'READY'] as const),
      ['20 06:00:00 to 20 18:30:00 45000', '20 18:30:00 to 21 18:30:00 86400', '21 18:30:00 to'],
    ],
    [
      'is divided where it ends on a later day, and the next state begins with the poll',
      ...(['20 18:29:50', '20 18:30:05', 'ACW'] as const),
      ['20 18:29:50 to 20 18:30:00 10', '20 18:30:00 to 20 18:30:05 5', '20 18:30:05 to'],
    ],
    [
      'has no empty interval where it ends exactly at midnight',
      ...(['20 18:29:50', '20 18:30:00', 'ACW'] as const),
      ['20 18:29:50 to 20 18:30:00 10', '20 18:30:00 to'],
    ],
  ])('%s', (_title, start, polled, state, intervals) => {
    const [startedAt = '', polledAt = ''] = [start, polled].map((at) => `2026-11-${at.replace(' ', 'T')}.000Z`);
    expect(novemberIn(changeAfter('Asia/Kolkata', startedAt, polledAt, state))).toEqual(intervals);
  });

  it('has a first interval longer than a day after more than a month without polls', () => {
    const change = changeAfter('UTC', '2026-01-01T00:00:00.000Z', '2026-06-01T12:00:00.000Z', 'ACW');

    expect(change?.timeline).toHaveLength(33);
    expect(change?.timeline[0]).toMatchObject({ to: '2026-05-02T00:00:00.000Z', seconds: 121 * 86_400 });
  });
});

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

const statesOf = (agents: readonly AgentFacts[]) => agents.map(({ agentId, state }) => `${agentId} ${state}`).sort();
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

        expect(statesOf(present)).toEqual(statesOf(loggedIn));
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

            expect(new Set(loggedInOf(written))).toEqual(new Set(loggedInOf(agents)));
            expect(rows.size).toBe(changes.flatMap(({ timeline }) => timeline).length);
          }
        },
      ),
      100,
    );
  });
});
