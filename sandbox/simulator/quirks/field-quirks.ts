import { between, type Choosable, choose, digitsOf, type Random } from '../random.ts';
import { bareNumber, type FieldQuirk, formatDuration, type QuirkSubject, type Rewrite } from '../summary.ts';
import { blanksQuirk, keySpellingQuirk, unknownValuesQuirk, valueSpellingQuirk } from './spellings.ts';
import { durationQuirks, overLongQuirk, recordingQuirks, timeQuirks, typeQuirks } from './value-quirks.ts';

/** Undocumented keys. Some were observed in production, others are invented. */
const unknownKeysQuirk = {
  name: 'unknown-keys',
  probability: 0.15,
  prepare: (random, { call }) => {
    const skillId = digitsOf(random, 5);
    const invented = `Feature${between(random, 2, 99)}`;

    return (fields) => ({
      ...fields,
      SkillID: bareNumber(skillId),
      UCID: bareNumber(call.id),
      TotalWrapupTime: formatDuration(call.wrapUpSeconds),
      TotalHandlingTime: formatDuration(call.talkSeconds + call.wrapUpSeconds),
      AnswerTime: formatDuration(call.ringSeconds),
      TalkTime: String(call.talkSeconds),
      [invented]: 'on',
    });
  },
} as const satisfies FieldQuirk;

/** A call has at most one quirk of each list. The lists are applied in this order. */
const quirkLists = [
  recordingQuirks,
  [overLongQuirk],
  [unknownValuesQuirk, valueSpellingQuirk],
  durationQuirks,
  timeQuirks,
  typeQuirks,
  [unknownKeysQuirk],
  [blanksQuirk],
  [keySpellingQuirk],
] as const satisfies readonly (readonly FieldQuirk[])[];

/** All field quirks except those of the identifier, which is part of the call itself. */
export const fieldQuirks = quirkLists.flat();

/** The field quirks of one call: drawn at random, or only the requested one. */
export const chooseFieldQuirks = (random: Random, name?: string): readonly FieldQuirk[] =>
  quirkLists.flatMap((list) => choose<FieldQuirk>(random, list, name) ?? []);

/** All quirks of a call as one rewrite, and those of its content alone, which the call report has as well. */
export const rewritesBy = (random: Random, quirks: readonly FieldQuirk[], subject: QuirkSubject) => {
  const prepared = quirks.map(({ prepare, isContent }) => ({ rewrite: prepare(random, subject), isContent }));

  return { all: composed(prepared), content: composed(prepared.filter(({ isContent }) => isContent)) };
};

const composed =
  (prepared: readonly { readonly rewrite: Rewrite }[]): Rewrite =>
  (fields) =>
    prepared.reduce((changed, { rewrite }) => rewrite(changed), fields);

/** A quirk of the call id: its length, and whether it is a bare number. */
export interface IdentifierQuirk extends FieldQuirk {
  readonly digits: (random: Random) => string;
}

/** Text of 14 to 17 digits: the usual id. */
export const ordinaryId = (random: Random): string => digitsOf(random, between(random, 14, 17));

// Odd and greater than 2^54, so that no double can hold it. Parsing it as a number changes it.
const unsafeId = (random: Random): string => `9${digitsOf(random, 15)}${1 + 2 * between(random, 0, 4)}`;

const bareId: FieldQuirk['prepare'] =
  () =>
  ({ monitorUCID, ...others }) => ({
    monitorUCID: typeof monitorUCID === 'string' ? bareNumber(monitorUCID) : null,
    ...others,
  });

export const identifierQuirks = [
  { name: 'number-id', probability: 0.12, digits: unsafeId, prepare: bareId },
  { name: 'long-id', probability: 0.03, digits: (random) => digitsOf(random, 20), prepare: () => (fields) => fields },
  {
    name: 'long-number-id',
    probability: 0.02,
    digits: (random) => `${digitsOf(random, 3)}${unsafeId(random)}`,
    prepare: bareId,
  },
] as const satisfies readonly (IdentifierQuirk & Choosable)[];
