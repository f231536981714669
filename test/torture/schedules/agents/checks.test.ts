import { describe, expect, it } from 'vitest';
import { mustHoldForAgents } from '../../../../torture/schedules/agents/check-polling.ts';
import { type PlayedPolling, playPolling } from '../../../../torture/schedules/agents/play-polling.ts';
import type { PollingHistory } from '../../../../torture/schedules/agents/polling-history.ts';

const step = {
  slots: 1,
  answers: ['floor', 'floor'],
  answerMs: 0,
  ticks: [{ to: 0, afterMs: 0 }],
} as const;

/** Somebody comes, changes state and goes. */
const history: PollingHistory = {
  turnsSeed: 1,
  processes: { 'poller 0': [], 'poller 1': [], publisher: [] },
  steps: [
    { ...step, moves: [[[0, 0]], []] },
    { ...step, moves: [[[0, 1]], [[1, 0]]] },
    { ...step, moves: [[[0, 9]], []] },
    { ...step, moves: [[], []] },
  ],
};

const played = await playPolling(history, () => undefined);

const withWorld = (world: Partial<PlayedPolling['world']>): PlayedPolling => ({
  ...played,
  world: { ...played.world, ...world },
});

const withAsked = (change: (atMs: number, index: number) => object): PlayedPolling => ({
  ...played,
  accounts: played.accounts.map((account) => ({
    ...account,
    telephony: {
      ...account.telephony,
      asked: () => account.telephony.asked().map((asked, index) => ({ ...asked, ...change(asked.atMs, index) })),
    },
  })),
});

const events = played.world.events();

describe('the checks of a history of agents', () => {
  it('hold for what was played', () => {
    expect(mustHoldForAgents(played)).toBe(0);
    expect(events.map(({ 'detail-type': type }) => type)).toContain('Agent Logged Out');
  });

  it.each(events.map((event, index) => [index, event['detail-type']]))(
    'fail where event %i, %s, is missing',
    (missing) => {
      expect(() =>
        mustHoldForAgents(withWorld({ events: () => events.filter((_, index) => index !== missing) })),
      ).toThrow();
    },
  );

  it.each<{ what: string; of: PlayedPolling; says: RegExp }>([
    {
      what: 'an event tells of another row than there is',
      of: withWorld({
        rows: (table) =>
          played.world.rows(table).map((row) => (row['kind'] === 'agent' ? { ...row, loggedInSince: 'x' } : row)),
      }),
      says: /is as was told last/,
    },
    {
      what: 'somebody has another telephone than the centre says',
      of: withWorld({
        rows: (table) =>
          played.world.rows(table).map((row) => (row['kind'] === 'agent' ? { ...row, phoneNumber: 'x' } : row)),
      }),
      says: /of those who are there/,
    },
    {
      what: 'an event comes again without a reason',
      of: withWorld({ events: () => [...events, ...events.slice(0, 1)] }),
      says: /nothing explains it/,
    },
    {
      what: 'an open stretch is left',
      of: withWorld({
        rows: (table) => played.world.rows(table).filter(({ kind, to }) => kind !== 'interval' || to === undefined),
      }),
      says: /floor of|stretch/,
    },
    {
      what: 'somebody is gone whom no answer missed',
      of: withAsked(() => ({ states: undefined })),
      says: /Guarantee 6/,
    },
    {
      what: 'it was asked too often',
      of: withAsked((_, index) => ({ atMs: Date.parse('2026-11-21T15:00:17Z') + index })),
      says: /Guarantee 5/,
    },
    { what: 'a key is in a log', of: { ...played, lines: ['demo-key-SECRET-11'] }, says: /Guarantee 8/ },
    {
      what: 'a fault is logged though all is well',
      of: { ...played, lastLines: ['{"level":"error"}'] },
      says: /all works/,
    },
  ])('fail where $what', ({ of, says }) => {
    expect(() => mustHoldForAgents(of)).toThrow(says);
  });
});
