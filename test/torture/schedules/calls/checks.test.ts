import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../lib/record/delivery.ts';
import type { Envelope } from '../../../../sandbox/bus/envelope.ts';
import type { CallsHistory } from '../../../../torture/schedules/calls/calls-history.ts';
import { mustTellEachRevisionOnce } from '../../../../torture/schedules/calls/check-events.ts';
import { mustKeepWhatWasAcknowledged } from '../../../../torture/schedules/calls/check-kept.ts';
import { mustBeListed, mustBeListedUnderAgents } from '../../../../torture/schedules/calls/check-listings.ts';
import { mustBeUnderstood } from '../../../../torture/schedules/calls/check-reading.ts';
import { mustFollowFromDeliveries } from '../../../../torture/schedules/calls/check-rows.ts';
import { mustKeepSecrets } from '../../../../torture/schedules/calls/check-secrets.ts';
import { type PlayedCalls, playCalls } from '../../../../torture/schedules/calls/play-calls.ts';
import { type CallRow, callRow } from '../../../../torture/schedules/calls/row-of-call.ts';

const post = (fields: object) => ({
  do: 'post' as const,
  via: 0 as const,
  post: { account: 0 as const, asList: false, records: [{ monitorUCID: '41781234567890123', ...fields }] },
});

/** A call that is told of twice, and is found under two agents. */
const history: CallsHistory = {
  turnsSeed: 1,
  processes: { 'receiver 0': [], 'receiver 1': [], recovery: [], publisher: [] },
  steps: [
    { clockMs: 0, together: [post({ Status: 'NotAnswered', AgentID: '1001 -> 1002' })] },
    { clockMs: 1_000, together: [post({ Status: 'Answered' })] },
  ],
};

const played = await playCalls(history, () => undefined);
const all = played.world.rows('calls');
const rows = all.filter(({ kind }) => kind === 'call').map(callRow);
const entries = all.filter(({ kind }) => kind === 'agent-entry');
const events = played.world.events();

const withEvents = (changed: readonly Envelope[]): PlayedCalls => ({
  ...played,
  world: { ...played.world, events: () => changed },
});
const withDetail = (index: number, change: Facts): PlayedCalls =>
  withEvents(events.map((event, at) => (at === index ? { ...event, detail: { ...event.detail, ...change } } : event)));
const changedRow = (change: (row: CallRow) => Partial<CallRow>): readonly CallRow[] =>
  rows.map((row) => ({ ...row, ...change(row) }));

describe('the checks of a history of calls', () => {
  it('hold for what was played', () => {
    for (const said of played.ledger.posts) mustBeUnderstood(said);
    mustKeepWhatWasAcknowledged(played, rows);
    for (const row of rows) mustFollowFromDeliveries(row, 1);
    for (const row of rows) mustBeListed(row);
    mustBeListedUnderAgents(rows, entries);
    mustKeepSecrets(played);

    expect(mustTellEachRevisionOnce(played, rows)).toBe(0);
  });

  it.each<{ what: string; check: () => unknown; says: RegExp }>([
    {
      what: 'a delivery is missing',
      check: () =>
        mustKeepWhatWasAcknowledged(
          played,
          changedRow(({ deliveries }) => ({ deliveries: deliveries.slice(1) })),
        ),
      says: /Guarantee 1.*lost/,
    },
    {
      what: 'a delivery says another thing',
      check: () =>
        mustKeepWhatWasAcknowledged(
          played,
          changedRow(({ deliveries }) => ({ deliveries: deliveries.map((said) => ({ ...said, facts: {} })) })),
        ),
      says: /Guarantee 1.*instead of/,
    },
    {
      what: 'a delivery has another time',
      check: () =>
        mustKeepWhatWasAcknowledged(
          played,
          changedRow(({ deliveries }) => ({
            deliveries: deliveries.map((said) => ({ ...said, receivedAt: '2026-11-20T06:06:00.000Z' })),
          })),
        ),
      says: /for what was received at/,
    },
    {
      what: 'a row says more than its deliveries',
      check: () =>
        changedRow(({ facts }) => ({ facts: { ...facts, comments: ['x'] } })).map((row) =>
          mustFollowFromDeliveries(row, 1),
        ),
      says: /Guarantee 3/,
    },
    {
      what: 'a call is not found under its second agent',
      check: () => mustBeListedUnderAgents(rows, []),
      says: /further agents/,
    },
    ...['expiresAt', 'listedAt', 'accountCalls', 'agentCalls'].map((name) => ({
      what: `a row has no ${name}`,
      check: () => changedRow(({ row }) => ({ row: { ...row, [name]: undefined } })).map(mustBeListed),
      says: /is listed as/,
    })),
    {
      what: 'an event is missing',
      check: () => mustTellEachRevisionOnce(withEvents(events.slice(1)), rows),
      says: /told of 2$/,
    },
    {
      what: 'events are in another order',
      check: () => mustTellEachRevisionOnce(withEvents(events.toReversed()), rows),
      says: /told of 2,1/,
    },
    {
      what: 'an event comes again without a reason',
      check: () => mustTellEachRevisionOnce(withEvents([...events, ...events.slice(1)]), rows),
      says: /nothing explains it/,
    },
    {
      what: 'an event comes again with another id',
      check: () => {
        const again = events.slice(1).map((event) => ({ ...event, detail: { ...event.detail, id: 'another' } }));
        mustTellEachRevisionOnce(withEvents([...events, ...again]), rows);
      },
      says: /told of 1,2,2/,
    },
    {
      what: 'an event names the wrong fields',
      check: () => mustTellEachRevisionOnce(withDetail(1, { changedFields: ['comments'] }), rows),
      says: /names comments as changed, not status/,
    },
    {
      what: 'a record was never told of',
      check: () => mustTellEachRevisionOnce(withEvents([]), rows),
      says: /Guarantee 2/,
    },
    {
      what: 'an event tells of no record',
      check: () => mustTellEachRevisionOnce(played, []),
      says: /is not there/,
    },
    {
      what: 'a key is in a log',
      check: () => mustKeepSecrets({ ...played, lines: ['demo-key-SECRET-11'] }),
      says: /a key is in a log/,
    },
    {
      what: 'a person is in a log',
      check: () => mustKeepSecrets({ ...played, lines: ['0990PERSON'] }),
      says: /a person is in a log/,
    },
  ])('fail where $what', ({ check, says }) => {
    expect(check).toThrow(says);
  });
});
