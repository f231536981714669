import { between, digitsOf } from '../random.ts';
import { clockOf } from '../summary/local-time.ts';
import { bare } from '../summary/value.ts';
import type { FieldQuirk } from './field-quirk.ts';

/** Keys that no list names, some met in production and some that nobody has met yet. */
export const unknownKeysQuirk = {
  name: 'unknown-keys',
  probability: 0.15,
  prepare: (random, { call }) => {
    const skillId = digitsOf(random, 5);
    const invented = `Feature${between(random, 2, 99)}`;

    return (fields) => ({
      ...fields,
      SkillID: bare(skillId),
      UCID: bare(call.id),
      TotalWrapupTime: clockOf(call.wrapUpSeconds),
      TotalHandlingTime: clockOf(call.talkSeconds + call.wrapUpSeconds),
      AnswerTime: clockOf(call.ringSeconds),
      TalkTime: String(call.talkSeconds),
      [invented]: 'on',
    });
  },
} as const satisfies FieldQuirk;
