import { numberFacts } from '../telephony/call-fields.ts';
import { e164 } from '../telephony/e164.ts';
import { countryOfZone } from '../telephony/zone-countries.ts';
import { changedFields, type RecordFacts } from './merge-deliveries.ts';

/**
 * The E.164 forms of a record's numbers, which rows and events have beside the numbers as sent. They follow from the merged
 * facts and the country of the account, and are no facts: a better library or another country makes no revision.
 */
const e164Names: ReadonlySet<string> = new Set(numberFacts.map((fact) => `${fact}E164`));

const partsThat = (part: object, isKept: (name: string) => boolean): RecordFacts =>
  Object.fromEntries(Object.entries(part).filter(([name]) => isKept(name)));

const inEachPart = (facts: RecordFacts, change: (part: RecordFacts, leg?: number) => RecordFacts): RecordFacts => {
  const changed = change(facts);
  const { legs } = facts;
  return Array.isArray(legs) ? { ...changed, legs: legs.map((leg, index) => change(leg, index)) } : changed;
};

/** `country` is the account's own; without one it is the country of the call's time zone. */
export const withE164 = (facts: RecordFacts, country = countryOfZone(String(facts['timeZone']))): RecordFacts =>
  inEachPart(facts, (part) => ({ ...part, ...e164Of(part, country) }));

const e164Of = (part: RecordFacts, country: string | undefined): RecordFacts =>
  Object.fromEntries(
    numberFacts.flatMap((fact) => {
      const sent = part[fact];
      const number = typeof sent === 'string' ? e164(sent, country) : undefined;
      return number === undefined ? [] : [[`${fact}E164`, number]];
    }),
  );

export const withoutE164 = (facts: RecordFacts): RecordFacts =>
  inEachPart(facts, (part) => partsThat(part, (name) => !e164Names.has(name)));

const e164In = (row: RecordFacts): RecordFacts =>
  inEachPart(row, (part, leg) =>
    partsThat(part, (name) => e164Names.has(name) || (leg === undefined && name === 'legs')),
  );

/** The facts with the E.164 forms that their row has, as nobody but its writer knows the country. */
export const withE164OfRow = (facts: RecordFacts, row: RecordFacts): RecordFacts => {
  const { legs, ...numbers } = e164In(row);
  return inEachPart(facts, (part, leg) => ({ ...part, ...(leg === undefined ? numbers : Object(legs)[leg]) }));
};

/** The names of the E.164 forms in which two rows of one record differ; `legs` if those of its legs do. */
export const changedE164 = (before: RecordFacts, after: RecordFacts): readonly string[] =>
  changedFields(e164In(before), e164In(after));
