import { describe, expect, it } from 'vitest';
import type { AgentFacts } from '../../../lib/agent-login/model.ts';
import { newFeed } from '../../../lib/feed/feed.ts';
import { agentsOnFloor, floorRows } from '../../../lib/floor/floor-rows.ts';
import { stepOf } from '../../../lib/floor/step.ts';
import { agentFacts, agentsOf, loggedIn, moment } from '../support/agents.ts';

const began = '2026-11-20T06:00:00.000Z';
const then = moment('2026-11-20T06:00:15.000Z');
const posted = { AgentName: 'Asha', PhoneNumber: '1', SkillName: 'Sales, Support' };
const asha = loggedIn(began, posted);
const seenAs = (changed: object) => agentFacts({ ...posted, ...changed });

const leave = (at = then) => {
  const left = stepOf(asha, undefined, at)?.after;
  if (left === undefined) throw new Error('not left');
  return left;
};

/** The open piece of a timeline that began with the log-in, closed at an instant. */
const ready = (to?: string, seconds?: number) => ({
  agentId: 'asha',
  state: 'ready',
  stateAsSent: 'READY',
  since: began,
  from: began,
  ...(to && { to, seconds }),
});

describe('stepOf', () => {
  it('logs an agent in who was not there', () => {
    expect(stepOf(undefined, seenAs({}), moment(began))).toEqual({
      agentId: 'asha',
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
        stretchFrom: began,
      },
      timeline: [ready()],
    });
  });

  it('changes the state, closes the piece of the old one and opens one of the new', () => {
    const step = stepOf(asha, seenAs({ AgentState: 'INCALL' }), then);

    expect(step?.after).toEqual({
      ...asha,
      state: 'in-call',
      stateAsSent: 'INCALL',
      since: then.at,
      version: 2,
      changedAt: then.at,
      recordedAt: then.recordedAt,
      stretchFrom: then.at,
    });
    expect(step?.timeline).toEqual([
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
  ])('changes details and leaves the timeline alone: %s', (_title, changed, details) => {
    const step = stepOf(asha, seenAs(changed), then);

    expect(step?.after).toEqual({ ...asha, ...details, version: 2, changedAt: then.at, recordedAt: then.recordedAt });
    expect(step?.timeline).toEqual([]);
  });

  it('changes state and details at once, and counts that as one version', () => {
    const step = stepOf(asha, seenAs({ AgentState: 'ACW', AgentName: 'Asha Rao' }), then);

    expect(step?.after).toMatchObject({ state: 'acw', name: 'Asha Rao', version: 2, since: then.at });
    expect(step?.timeline).toHaveLength(2);
  });

  it.each([
    ['nothing', {}],
    ['the same word in another letter case', { AgentState: 'Ready' }],
    ['the same word in another spelling', { AgentState: 'Rea_dy' }],
    ['skills in another order', { SkillName: 'Support,Sales' }],
    ['a skill twice', { SkillName: 'Sales, Support, Sales' }],
  ])('writes nothing where %s is new', (_title, changed) => {
    expect(stepOf(asha, seenAs(changed), then)).toBeUndefined();
  });

  it.each([
    ['another unknown word', 'Lunch', 'Tea', true],
    ['the same unknown word in another letter case', 'Lunch', 'LUNCH', false],
    ['an unknown word after a known one', 'READY', 'Lunch', true],
    ['a known word after an unknown one', 'Lunch', 'READY', true],
  ])('knows unknown words apart: %s', (_title, before, after, isChange) => {
    const step = stepOf(loggedIn(began, { AgentState: before }), agentFacts({ AgentState: after }), then);

    expect(step !== undefined).toBe(isChange);
    if (isChange) expect(step?.after).toMatchObject({ stateAsSent: after, version: 2, since: then.at });
  });

  it('logs an agent out who is not there any more: the row stands to be told of', () => {
    const step = stepOf(asha, undefined, then);
    const { stateAsSent: _sent, ...known } = asha;

    expect(step?.after).toEqual({
      ...known,
      state: 'logged-out',
      since: then.at,
      version: 2,
      changedAt: then.at,
      recordedAt: then.recordedAt,
    });
    expect(step?.timeline).toEqual([ready(then.at, 15)]);
  });

  it('removes the row of one who has left', () => {
    expect(stepOf(leave(), undefined, then)).toEqual({ agentId: 'asha', after: undefined, timeline: [] });
  });

  it('logs one in anew whose row still stands', () => {
    const again = moment('2026-11-20T06:00:30.000Z');

    expect(stepOf(leave(), seenAs({}), again)).toEqual(stepOf(undefined, seenAs({}), again));
  });

  it('writes nothing of one who neither was nor is there', () => {
    expect(stepOf(undefined, undefined, then)).toBeUndefined();
  });

  const onceMore: readonly (readonly [string, AgentFacts | undefined])[] = [
    ['a change of state', seenAs({ AgentState: 'ACW' })],
    ['a change of details', seenAs({ AgentName: 'Asha Rao' })],
    ['a change of both', seenAs({ AgentState: 'Tea', PhoneNumber: '2' })],
  ];

  it.each(onceMore)('gives nothing when it is taken again: %s', (_title, seen) => {
    const once = stepOf(asha, seen, then)?.after;

    expect(stepOf(once, seen, then)).toBeUndefined();
  });

  it('gives nothing when a log-in is taken again', () => {
    expect(stepOf(asha, seenAs({}), moment(began))).toBeUndefined();
  });

  it.each(onceMore)('comes out the same from the floor as it was kept: %s', (_title, seen) => {
    const after = stepOf(asha, seen, then)?.after ?? asha;
    const [kept] = agentsOnFloor(floorRows(newFeed('demo', new Date(began)), then.at, agentsOf(after), 7));

    expect(stepOf(asha, kept, then)).toEqual(stepOf(asha, seen, then));
    expect(stepOf(after, kept, then)).toBeUndefined();
  });
});
