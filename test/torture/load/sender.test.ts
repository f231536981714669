import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { createLedger } from '../../../torture/load/ledger.ts';
import { createSender } from '../../../torture/load/sender.ts';
import type { Reply } from '../../../torture/posting/post-to.ts';
import { preparedPosts } from '../../../torture/posting/prepared-posts.ts';

const [post] = await preparedPosts(seededRandom(3))(1);
if (post === undefined) throw new Error('No post');
const kept = { stored: post.meaning.items.length, duplicates: 0, quarantined: 0, parked: 0 };
const refused: Reply = { ...kept, stored: 0, status: 503, error: 'stores-unavailable' };

describe('createSender', () => {
  it('sends again what was refused or not answered, until it is taken', async () => {
    const answers: (Reply | undefined)[] = [undefined, refused, { ...kept, status: 200 }];
    const ledger = createLedger();
    const sender = createSender(async () => answers.shift(), ledger);

    await sender.send(post, performance.now());
    expect([sender.open(), ledger.callIds.size]).toEqual([{ underway: 0, again: 1 }, 0]);
    await sender.resend();
    expect(sender.open()).toEqual({ underway: 0, again: 1 });
    await sender.resend();
    await sender.resend();

    expect([sender.open(), ledger.callIds.size]).toEqual([{ underway: 0, again: 0 }, 1]);
    expect(Object.fromEntries(sender.answers())).toEqual({ 'no answer': 1, '503 stores-unavailable': 1, '200': 1 });
  });

  it('counts the time from when a post was due, not from when it left', async () => {
    const sender = createSender(async () => refused, createLedger());

    expect((await sender.send(post, performance.now() - 700)).milliseconds).toBeGreaterThan(700);
  });
});
