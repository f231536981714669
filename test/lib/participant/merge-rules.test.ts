import { describe, expect, it } from 'vitest';
import { participantMergeRules } from '../../../lib/participant/merge-rules.ts';
import type { Facts } from '../../../lib/record/delivery.ts';
import { mergedBy } from '../support/merged-by.ts';

const participants = (...said: readonly Facts[]) => mergedBy(participantMergeRules, said);

describe('what is known of a participant', () => {
  it.each([
    [
      'an end, where a copy from before it follows',
      [{ endedAt: 'a', exitStatus: 'x' }, { exitStatus: 'y' }],
      { endedAt: 'a', exitStatus: 'x' },
    ],
    [
      'the value of the delivery with a recording',
      [{ recordings: ['a'], exitStatus: 'x' }, { exitStatus: 'y' }],
      { exitStatus: 'x' },
    ],
    ['the recordings of all', [{ recordings: ['a'] }, { endedAt: 'b', recordings: ['c'] }], { recordings: ['a', 'c'] }],
    ['the later of two values', [{ exitStatus: 'x' }, { exitStatus: 'y' }], { exitStatus: 'y' }],
  ])('keeps %s', (_title, said, expected) => {
    expect(participants(...(said as Facts[]))).toMatchObject(expected);
  });
});
