import { describe, expect, it } from 'vitest';
import { pollStatusRow, snapshotRows } from '../../../functions/poll-agents/agent-store.ts';
import { type AgentSummary, newPollStatus, nextStatus } from '../../../functions/poll-agents/poll-status.ts';
import { changeOf } from '../../../lib/agents/diff-agents.ts';
import { feedChangeRow, intervalRow } from '../../../lib/agents/rows.ts';
import type { CurrentAgent, PollStatus } from '../../../lib/agents/schema.ts';
import { eventsOf, eventTypeOfRow } from '../../../lib/publish/events-of-change.ts';
import { maxDetailBytes } from '../../../lib/publish/project-event.ts';
import type { ServiceProblem } from '../../../lib/service/service.ts';
import { agentChange, agentFacts, agentsOf, loggedIn, moment } from '../../support/posted-records.ts';

const began = '2026-11-20T06:00:00.000Z';
const then = moment('2026-11-20T06:01:30.000Z');
const posted = { AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales' };
const asha = loggedIn(began, posted);

const next = (before: CurrentAgent, changed: object | undefined, at = then): CurrentAgent => {
  const seen = changed && agentFacts({ ...posted, ...changed });
  const after = changeOf(before, seen, at)?.after;
  if (after === undefined) throw new Error('no change');
  return after;
};
const left = next(asha, undefined);

const shown = {
  agentId: 'asha',
  name: 'Asha',
  phoneNumber: '1',
  skills: ['Sales'],
  state: 'ready',
  stateAsSent: 'READY',
  since: began,
  loggedInSince: began,
};
const id = expect.stringMatching(/^[0-9a-f]{32}$/);
const envelope = { schemaVersion: 1, id, account: 'demo', agentId: 'asha' };

const eventsOfChange = (before: CurrentAgent | undefined, after: CurrentAgent | undefined) =>
  eventsOf(agentChange(before, after));
const typesOf = (before: CurrentAgent | undefined, after: CurrentAgent | undefined) =>
  eventsOfChange(before, after).map(({ type }) => type);

describe('the events of an agent’s row', () => {
  it('publishes a log-in', () => {
    expect(eventsOfChange(undefined, asha)).toEqual([
      {
        type: 'Agent Logged In',
        key: 'agent demo asha',
        detail: {
          ...envelope,
          occurredAt: began,
          recordedAt: '2026-11-20T06:00:00.300Z',
          version: 1,
          previous: { state: 'logged-out' },
          current: shown,
        },
      },
    ]);
    expect(typesOf(left, next(left, {}))).toEqual(['Agent Logged In']);
  });

  it('publishes a new state, with how long the previous one lasted', () => {
    expect(eventsOfChange(asha, next(asha, { AgentState: 'INCALL' }))).toEqual([
      {
        type: 'Agent State Changed',
        key: 'agent demo asha',
        detail: {
          ...envelope,
          occurredAt: then.at,
          recordedAt: then.recordedAt,
          version: 2,
          previous: shown,
          current: { ...shown, state: 'in-call', stateAsSent: 'INCALL', since: then.at },
          secondsInPreviousState: 90,
        },
      },
    ]);
  });

  const allChanged = { name: 'A', phoneNumber: '2', skills: ['VIP'] };
  it.each([
    ['the name', { AgentName: 'Asha Rao' }, ['name'], { name: 'Asha Rao' }],
    ['the number', { PhoneNumber: '2' }, ['phoneNumber'], { phoneNumber: '2' }],
    ['the skills', { SkillName: 'Sales, VIP' }, ['skills'], { skills: ['Sales', 'VIP'] }],
    ['all', { AgentName: 'A', PhoneNumber: '2', SkillName: 'VIP' }, ['name', 'phoneNumber', 'skills'], allChanged],
  ])('tells of other details: %s', (_title, changed, changedFields, current) => {
    expect(eventsOfChange(asha, next(asha, changed))).toMatchObject([
      {
        type: 'Agent Details Changed',
        detail: {
          version: 2,
          changedFields,
          previous: shown,
          secondsInPreviousState: 90,
          current: { ...shown, ...current },
        },
      },
    ]);
  });

  it('publishes no details with a change of state where only the order of skills or an undocumented field is new', () => {
    const before = loggedIn(began, { ...posted, SkillName: 'Sales, VIP' });
    const events = eventsOfChange(before, next(before, { AgentState: 'ACW', SkillName: 'VIP, Sales', Calls: '7' }));

    expect(events).toMatchObject([
      { type: 'Agent State Changed', detail: { current: { skills: ['VIP', 'Sales'], extra: { Calls: '7' } } } },
    ]);
  });

  it('publishes details that were removed', () => {
    const [event] = eventsOfChange(asha, next(asha, { SkillName: '' }));

    expect(event).toMatchObject({ type: 'Agent Details Changed', detail: { changedFields: ['skills'] } });
    expect(event?.detail['current']).not.toHaveProperty('skills');
  });

  it('publishes state and details as two events of one version', () => {
    const events = eventsOfChange(asha, next(asha, { AgentState: 'ACW', AgentName: 'Asha Rao' }));

    expect(events.map(({ type }) => type)).toEqual(['Agent State Changed', 'Agent Details Changed']);
    expect(events.map(({ detail }) => detail['version'])).toEqual([2, 2]);
    expect(new Set(events.map(({ detail }) => detail.id)).size).toBe(2);
    expect(new Set(events.map(({ key }) => key)).size).toBe(1);
  });

  it('counts how long a state lasted across midnight and changes of details', () => {
    const renamed = next(asha, { AgentName: 'Asha Rao' });
    const rolled = next(renamed, { AgentName: 'Asha Rao' }, moment('2026-11-20T18:30:05.000Z'));
    const [event] = eventsOfChange(
      rolled,
      next(rolled, { AgentName: 'Asha Rao', AgentState: 'ACW' }, moment('2026-11-21T06:00:00.000Z')),
    );

    expect(event).toMatchObject({
      type: 'Agent State Changed',
      detail: { secondsInPreviousState: 86_400, version: 3 },
    });
  });

  it('publishes a log-in if the previous row was not written by the poller', () => {
    const change = { ...agentChange(undefined, asha), before: { pk: 'demo', sk: 'agent#asha', kind: 'agent' } };

    expect(eventsOf(change).map(({ type }) => type)).toEqual(['Agent Logged In']);
  });

  it('fits into an event with the longest values that an agent’s row can hold', () => {
    const skills = (character: string) =>
      Array.from({ length: 100 }, (_, index) => `${index}${character.repeat(300)}`).join(',');
    for (const character of ['\u0001', '漢', '"', '\\']) {
      const text = character.repeat(300);
      const undocumented = Object.fromEntries('abcdefghijklmnop'.split('').map((name) => [name, text]));
      const large = { ...undocumented, AgentName: text, PhoneNumber: text, SkillName: skills(character) };
      const before = loggedIn(began, { AgentState: text, ...large });
      const after = next(before, { ...large, AgentState: `x${text}`, PhoneNumber: `x${text}` });

      for (const { detail } of eventsOfChange(before, after))
        expect(Buffer.byteLength(JSON.stringify(detail))).toBeLessThan(maxDetailBytes);
    }
  });
});

it('an id is the same whenever a change was written, and another one for another account', () => {
  const later = { ...asha, recordedAt: '2027-01-01T00:00:00.000Z' };
  const { after } = agentChange(undefined, asha);
  const [first, again] = [asha, later].map((agent) => eventsOfChange(undefined, agent)[0]?.detail.id);
  const [other] = eventsOf({ sequence: '1', after: { ...after, account: 'other' } });

  expect(again).toBe(first);
  expect(other?.key).toBe('agent other asha');
  expect(other?.detail.id).not.toBe(first);
});

describe('eventsOf', () => {
  const rolled = next(loggedIn('2026-11-20T18:29:50.000Z', posted), {}, moment('2026-11-20T18:30:05.000Z'));
  const feed = newPollStatus('demo', new Date(began));
  const piece = { agentId: 'asha', state: 'ready', since: began, from: began } as const;

  it.each<[string, readonly string[]]>([
    ['a day that has begun', typesOf(loggedIn('2026-11-20T18:29:50.000Z', posted), rolled)],
    ['a row that is written again', typesOf(asha, asha)],
    ['a leaver’s row that is written again', typesOf(left, left)],
    ['the removal of an agent’s row', typesOf(left, undefined)],
    ['the removal of the row of one who is there', typesOf(asha, undefined)],
    ['a leaver’s row of which nothing was known', typesOf(undefined, left)],
  ])('publishes nothing for %s', (_title, types) => {
    expect(types).toEqual([]);
  });

  it.each([
    ['the feed’s row', pollStatusRow(feed)],
    ['a piece of a timeline', intervalRow('demo', piece, 90)],
    ['a kept floor', snapshotRows({ pollStatus: feed, at: began, agents: agentsOf(asha), retentionDays: 7 })[0]],
    ['the token’s row', { pk: 'demo#token', sk: 'token', kind: 'token', account: 'demo' }],
  ])('has nothing to tell of %s, be it new, changed or gone', (_title, row) => {
    expect(eventsOf({ sequence: '1', after: row })).toEqual([]);
    expect(eventsOf({ sequence: '1', before: row, after: { ...row, version: 9 } })).toEqual([]);
    expect(eventsOf({ sequence: '1', before: row })).toEqual([]);
  });
});

const failedAt = ['2026-11-20T06:00:01.000Z', '2026-11-20T06:00:31.250Z'];
/** When the picture became stale, whenever a poll has noticed it. */
const interruptedAt = '2026-11-20T06:00:30.001Z';
const restoredAt = '2026-11-20T06:05:01.000Z';
const recordedAt = '2026-11-20T06:05:01.500Z';

const fresh = newPollStatus('demo', new Date(began));
const picture = (at: string) => ({ at, counts: {}, unreadableRecords: 0 });
const answered = (before: PollStatus, summary: AgentSummary) =>
  nextStatus(before, { kind: 'written', summary }, new Date(summary.at));
const live = answered(fresh, picture(began));
const failed = (feed: PollStatus, reason: ServiceProblem) =>
  failedAt.reduce((before, at) => nextStatus(before, { kind: 'failed', failure: { reason } }, new Date(at)), feed);
const interrupted = failed(live, 'timeout');
const restored = answered(interrupted, picture(restoredAt));

const interruption = feedChangeRow(live, interrupted, recordedAt, 90);
const restoration = feedChangeRow(interrupted, restored, recordedAt, 90);
const eventsAfter = (after: typeof interruption) => eventsOf({ sequence: '1', after });

const feedEnvelope = { schemaVersion: 1, id, account: 'demo', recordedAt };

describe('the event of a change of the feed', () => {
  it('publishes an interruption with its reason', () => {
    expect(eventsAfter(interruption)).toEqual([
      {
        type: 'Agent Feed Interrupted',
        key: 'feed demo',
        detail: { ...feedEnvelope, occurredAt: interruptedAt, asOf: began, reason: 'timeout' },
      },
    ]);
  });

  it('publishes an interruption before the first successful poll, without asOf', () => {
    const [event] = eventsAfter(feedChangeRow(fresh, failed(fresh, 'unauthorised'), recordedAt, 90));

    expect(event).toMatchObject({
      type: 'Agent Feed Interrupted',
      detail: { reason: 'unauthorised', occurredAt: '2026-11-20T06:00:31.001Z' },
    });
    expect(event?.detail).not.toHaveProperty('asOf');
  });

  it('publishes the restoration, with the length of the interruption in whole seconds', () => {
    expect(eventsAfter(restoration)).toEqual([
      {
        type: 'Agent Feed Restored',
        key: 'feed demo',
        detail: { ...feedEnvelope, occurredAt: restoredAt, asOf: restoredAt, interruptedAt, secondsInterrupted: 271 },
      },
    ]);
  });

  it('replays a marked row unchanged, once for each mark', () => {
    const [first] = eventsAfter(interruption);
    const replayedAt = '2026-11-21T10:00:00.000Z';
    const marked = { ...interruption, replayedAt };

    expect(eventsOf({ sequence: '2', before: interruption, after: marked })).toEqual([
      { ...first, detail: { ...first?.detail, replayedAt } },
    ]);
    expect(eventsOf({ sequence: '3', before: marked, after: marked })).toEqual([]);
    expect(eventsOf({ sequence: '4', before: marked, after: interruption })).toEqual([]);
  });

  it('gives each change an id of its own, the same in each version, whenever it is read or was written', () => {
    const later = feedChangeRow(live, interrupted, '2027-01-01T00:00:00.000Z', 9);
    const rows = [interruption, restoration, { ...interruption, account: 'other' }, { ...interruption, at: began }];

    for (const row of [interruption, later])
      expect(eventsAfter(row)[0]?.detail.id).toBe('0853615e67a18a5f807c386491b781d2');
    expect(new Set(rows.map((row) => eventsAfter(row)[0]?.detail.id)).size).toBe(rows.length);
  });

  it('is what a replay repeats; the row of an agent, which only shows the present, is not replayed', () => {
    expect(eventTypeOfRow(interruption)).toBe('Agent Feed Interrupted');
    expect(eventTypeOfRow({ kind: 'agent' })).toBeUndefined();
  });
});
