import { describe, expect, it } from 'vitest';
import { judgeOutcome } from '../../../torture/soak/judge-outcome.ts';

const account = { requests: 40, offences: 0, mostInAnyMinute: 4, tokensGenerated: 0, agentsLoggedIn: 30 };
const state = { provider: { demo: account }, deadLetters: 0 };
const full = { judgesSpeed: true };

describe('judgeOutcome', () => {
  it('counts posts and polls', () => {
    const { figures, failures } = judgeOutcome(
      new Map([
        [200, 90],
        [400, 10],
      ]),
      state,
      full,
    );

    expect([figures, failures]).toEqual([
      [
        { what: 'posts', value: 100 },
        { what: 'polls', value: 40 },
      ],
      [],
    ]);
  });

  it.each([
    [503, full, ['2 posts were answered 503.']],
    [0, full, ['2 posts were answered not at all.']],
    [401, { judgesSpeed: false }, ['2 posts were answered 401.']],
    [500, { judgesSpeed: false }, ['2 posts were answered 500.']],
    [503, { judgesSpeed: false }, []],
  ])('of an answer %s with %o', (status, size, told) => {
    expect(judgeOutcome(new Map([[status, 2]]), state, size).failures).toEqual(told);
  });

  it('finds offences against the limit, and what was given up', () => {
    const bad = { provider: { demo: { ...account, offences: 3 } }, deadLetters: 2 };

    expect(judgeOutcome(new Map([[200, 1]]), bad, full).failures).toEqual([
      "The service's limit was exceeded 3 times.",
      '2 parked records became dead letters.',
    ]);
  });

  it('finds that nothing was done', () => {
    expect(judgeOutcome(new Map(), { provider: {}, deadLetters: 0 }, full).failures).toEqual([
      'Nothing was posted.',
      'The agents were never polled.',
    ]);
  });
});
