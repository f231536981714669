import { describe, expect, it } from 'vitest';
import { fieldQuirks, rewriteBy } from '../../../../sandbox/simulator/quirks/field-quirks.ts';
import { identifierQuirks } from '../../../../sandbox/simulator/quirks/identifiers.ts';
import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { summaryOf } from '../../../../sandbox/simulator/summary/summary-of.ts';
import { account, callOf, seeds } from '../support/calls.ts';
import { firstOf, jsonOf, opened } from '../support/opened-post.ts';

describe('an identifier', () => {
  it('as a bare number has exactly its digits, which no double could hold', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'number-id');
      const id = calls[0]?.id ?? '';

      expect(id).toMatch(/^\d{17}$/);
      expect(String(Number(id))).not.toBe(id);
      for (const post of posts) expect(jsonOf(post)).toContain(`"monitorUCID":${id},`);
    }
  });

  it('may be text of 20 digits', () => {
    for (const seed of seeds) expect(firstOf(callOf(seed, 'long-id').posts[0])['monitorUCID']).toMatch(/^\d{20}$/);
  });

  it('may be a bare number of 20 digits', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'long-number-id');

      expect(firstOf(posts[0])['monitorUCID']).toEqual({ digits: calls[0]?.id });
      expect(calls[0]?.id).toMatch(/^\d{20}$/);
    }
  });

  it('stays a bare number where the other numbers of its call come as text', () => {
    const quirks = [...identifierQuirks, ...fieldQuirks].filter(({ name }) =>
      /^(number-id|numbers-as-text)$/.test(name),
    );
    const [call] = callOf(1, 'answered').calls;
    if (call === undefined) throw new Error('There is no call');
    const rewrite = rewriteBy(seededRandom(1), quirks, { call, account });

    expect(rewrite(summaryOf(call, account, 'array'))).toMatchObject({
      monitorUCID: { digits: call.id },
      UCID: call.id,
    });
  });

  it('comes as text where it was a number and the reverse', () => {
    for (const seed of seeds) {
      const { calls, posts } = callOf(seed, 'numbers-as-text');
      expect(posts.flatMap(opened)[0]).toMatchObject({ UCID: calls[0]?.id, CallID: calls[0]?.legId });

      const turned = firstOf(callOf(seed, 'text-as-numbers').posts[0]);
      for (const key of ['CallerID', 'Did', 'AgentPhoneNumber', 'AgentUniqueID'])
        expect(turned[key]).toEqual({ digits: expect.stringMatching(/^[1-9]\d*$/) });
    }
  });
});
