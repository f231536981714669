import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { createLedger, isSettled, type Ledger } from '../../../torture/load/ledger.ts';
import { preparedPosts } from '../../../torture/posting/prepared-posts.ts';

const some = await preparedPosts(seededRandom(3))(60);
const postWith = (isIt: (post: (typeof some)[number]) => boolean) => {
  const post = some.find(isIt);
  if (post === undefined) throw new Error('No such post');
  return post;
};
const call = postWith(({ meaning }) => meaning.status === 200 && meaning.items.length > 1);
const otherPost = postWith(({ meaning }) => meaning.status === 400);
const reply = { status: 200, stored: call.meaning.items.length, duplicates: 0, quarantined: 0, parked: 0 };

const acknowledgedIn = ({ records }: Ledger) =>
  [...records.values()].flatMap(({ deliveries }) =>
    [...deliveries.values()].flatMap((one) => one.acknowledgedAt ?? []),
  );

describe('createLedger', () => {
  it('knows what was sent, and from when, before it is answered', () => {
    const ledger = createLedger();
    ledger.sending(call.meaning, 5);
    ledger.sending(call.meaning, 7);

    expect(ledger.records.size).toBe(call.meaning.items.length);
    expect([...ledger.records.values()].flatMap(({ deliveries }) => [...deliveries.values()])).toMatchObject(
      call.meaning.items.map(() => ({ firstSentAt: 5 })),
    );
    expect([acknowledgedIn(ledger), ledger.callIds.size]).toEqual([[], 0]);
  });

  it.each([
    ['stored', reply],
    ['known already', { ...reply, stored: 0, duplicates: reply.stored }],
    ['partly parked', { ...reply, stored: 1, parked: reply.stored - 1 }],
  ])('counts as acknowledged, from the first time on, what is %s', (_how, answer) => {
    const ledger = createLedger();
    for (const at of [5, 7]) {
      ledger.sending(call.meaning, at);
      ledger.answered(call.meaning, call.post.callId, answer, at + 1);
    }

    expect(acknowledgedIn(ledger)).toEqual(call.meaning.items.map(() => 6));
    expect([[...ledger.callIds], ledger.wrongAnswers]).toEqual([[call.post.callId], []]);
  });

  it.each([
    ['a 503', { ...reply, status: 503, stored: 0 }, []],
    ['another status', { ...reply, status: 401, stored: 0 }, [/^401 .*where 200/, /^401 with 0 records/]],
    ['fewer records than were posted', { ...reply, stored: 1 }, [/^200 with 1 records kept, of a post with \d+/]],
  ])('does not count %s as acknowledged', (_what, answer, told) => {
    const ledger = createLedger();
    ledger.sending(call.meaning, 5);
    ledger.answered(call.meaning, call.post.callId, answer, 6);

    expect(acknowledgedIn(ledger)).toEqual([]);
    expect(ledger.wrongAnswers).toEqual(told.map((one) => expect.stringMatching(one)));
  });

  it('counts how often something that is no call was sent, and said to be in quarantine', () => {
    const ledger = createLedger();
    ledger.sending(otherPost.meaning, 5);
    ledger.sending(otherPost.meaning, 6);
    ledger.answered(otherPost.meaning, undefined, { ...reply, status: 400, stored: 0, quarantined: 1 }, 7);

    expect([...ledger.entries.values()]).toMatchObject([{ sent: 2, told: 1 }]);
  });
});

describe('isSettled', () => {
  it.each([
    [undefined, false],
    [503, false],
    [500, false],
    [200, true],
    [400, true],
  ])('of an answer %s is %s', (status, settled) => {
    expect(isSettled(status === undefined ? undefined : { ...reply, status })).toBe(settled);
  });
});
