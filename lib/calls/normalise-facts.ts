import { contentHash } from '../core/encoding.ts';
import { clockText, readingsOf, secondsBetween } from '../core/time.ts';
import type { Note } from '../storage/field.ts';
import {
  callFields,
  participantFields,
  type WireCallField,
  type WireParticipantField,
  wireCallFields,
  wireParticipantFields,
} from '../telephony/call-fields.ts';
import { fieldReader, notesOf, withNotes } from '../telephony/field-kinds.ts';
import { type FieldTexts, idOf, isRoundedId, spellings } from '../telephony/posted-fields.ts';
import { withoutSignature } from '../telephony/recording-links.ts';
import type { AddedWordsByFact } from '../telephony/vocabularies.ts';
import type { CallFacts, ParticipantFacts } from './schema.ts';

export const callSpellings = spellings(wireCallFields);

/** The service reports a skill transfer as a second call, with the first one's id in its user-to-user information. */
const skillTransfer = /^SkillTransfer-([\d.,e+]+)~/i;

const callFactsOf = fieldReader<CallFacts>(Object.values(callFields));

export interface ReadingRules {
  readonly timeZone: string;
  readonly words?: AddedWordsByFact | undefined;
}

export const normaliseCall = (posted: FieldTexts<WireCallField>, { timeZone, words }: ReadingRules): CallFacts => {
  const read = callFactsOf(posted, timeZone, words);
  const times = [
    ['startedAt', posted.fields.get('StartTime')],
    ['endedAt', posted.fields.get('EndTime')],
  ] as const;
  return withLink({ ...read, ...pairedTimes(read.notes, times, timeZone, read.callDurationSeconds) });
};

type TimeFact = 'startedAt' | 'pickedUpAt' | 'endedAt';

type Times = readonly (readonly [fact: TimeFact, at: string])[];

/** A duration may be rounded, or be taken a moment later. Two readings of a time are half an hour apart or more. */
const toleranceSeconds = 60;

/**
 * The instants of a record's times, given in the order in which they happen, where clocks change and a time has two readings. All
 * times are read together: by the readings that last `seconds` from the first time to the last, else by readings that are in order.
 * Nothing where each time has one reading, as the notes show, or where no readings are in order.
 */
const pairedTimes = (
  notes: readonly Note[] = [],
  sent: readonly (readonly [fact: TimeFact, text: string | undefined])[],
  zone: string,
  seconds = Number.NaN,
): Readonly<Partial<Record<TimeFact, string>>> => {
  if (!notes.some(({ reason }) => reason.endsWith('-local-time'))) return {};

  const all = sent.reduce<readonly Times[]>(
    (before, [fact, text = '']) => {
      const readings = readingsOf(text, zone);
      if (readings.length === 0) return before;
      return before.flatMap((times) => readings.map(({ at }) => [...times, [fact, at] as const]));
    },
    [[]],
  );
  const isAsLong = (times: Times) =>
    Math.abs(secondsBetween(times[0]?.[1] ?? '', times.at(-1)?.[1] ?? '') - seconds) < toleranceSeconds;
  const isInOrder = (times: Times) => times.every(([, at], index) => at >= (times[index - 1]?.[1] ?? ''));
  return Object.fromEntries(all.find(isAsLong) ?? all.find(isInOrder) ?? []);
};

const withLink = (facts: CallFacts): CallFacts => {
  const sent = skillTransfer.exec(facts.uui ?? '')?.[1];
  if (isRoundedId(sent)) return withNotes([...notesOf(facts), { field: 'linkedCallId', reason: 'rounded-id' }], facts);
  const linkedCallId = idOf(sent);
  return linkedCallId === undefined || /\D/.test(linkedCallId) ? facts : { ...facts, linkedCallId };
};

/** The call of a summary, unique within an account, and what is odd about its id. */
export interface CallIdentity {
  readonly callId: string;
  readonly notes: readonly Note[];
  /** Whether monitorUCID names the call; otherwise another id or its content does. */
  readonly isIdentified: boolean;
}

/** The service repeats monitorUCID in CallID, and UCID names a leg. So neither splits a call that monitorUCID names. */
const identityFields = ['monitorUCID', 'CallID', 'UCID', 'DataUniqueId'] as const;

/** The service's ids have 14 to 25 digits. A far longer text is no id, and might not fit into a key. */
const maxIdLength = 100;

/**
 * Ids stay the text that was sent. Without any id, the hash of the content identifies the call. Its local times are read
 * in UTC and without added words: the call stays the same one when the account’s settings change.
 */
export const identityOf = (posted: FieldTexts<WireCallField>): CallIdentity => {
  const { fields, nested } = posted;
  const isId = (field: WireCallField) => {
    const text = idOf(fields.get(field));
    return text !== undefined && text.length <= maxIdLength && !nested.has(field);
  };
  const source = identityFields.find(isId);
  return {
    callId: (source && idOf(fields.get(source))) ?? `content-${contentHash(contentOf(posted))}`,
    notes: source === 'monitorUCID' ? [] : [fallbackNote(fields.get('monitorUCID'))],
    isIdentified: source === 'monitorUCID',
  };
};

/** What identifies a call without an id: its facts, and any text in place of the id, as two such texts are two calls. */
const contentOf = (posted: FieldTexts<WireCallField>): object => {
  const sent = posted.fields.get('monitorUCID');
  const facts = normaliseCall(posted, { timeZone: 'UTC' });
  return {
    ...facts,
    recordings: facts.recordings?.map(withoutSignature),
    conferenceRecordings: facts.conferenceRecordings?.map(withoutSignature),
    monitorUCID: isRoundedId(sent) ? sent : idOf(sent),
  };
};

const fallbackNote = (unusable: string | undefined): Note => ({
  field: 'callId',
  reason: 'fallback-identity',
  ...(unusable !== undefined && { asSent: unusable }),
});

export const participantSpellings = spellings(wireParticipantFields);

const participantFactsOf = fieldReader<ParticipantFacts>(Object.values(participantFields));

export const normaliseParticipant = (
  posted: FieldTexts<WireParticipantField>,
  { timeZone, words }: ReadingRules,
): ParticipantFacts => {
  const facts = participantFactsOf(posted, timeZone, words);
  const times = [
    ['startedAt', posted.fields.get('StartTime')],
    ['pickedUpAt', posted.fields.get('PickupTime')],
    ['endedAt', posted.fields.get('EndTime')],
  ] as const;
  return { ...facts, ...pairedTimes(facts.notes, times, timeZone) };
};

/**
 * What identifies a participant within its call, known from its start: a later delivery has the same. Ids of the call and
 * its leg count only where all others are blank, since not every shape of a post has them.
 */
const identifying = [
  ['ParticipantNumber', 'StartTime', 'AgentName'],
  ['UCID', 'CallID'],
] as const;

/**
 * Names the participants of one post, each by a hash of its identifying fields as sent. The name is no number, as
 * numbers are personal and keys get logged. A start counts as the time of the clock, as an instant would change with
 * the account's time zone. Participants of one post are never the same one. Those with equal fields are numbered in the
 * order of the list, so that a repeat of the list finds them again.
 */
export const participantNames = (): ((callId: string, posted: FieldTexts<WireParticipantField>) => string) => {
  const uses = new Map<string, number>();
  return (callId, { fields }) => {
    const values = identifying.map((names) =>
      names.map((name) => {
        const sent = fields.get(name);
        if (sent === undefined) return null;
        if (name === 'StartTime') return clockText(sent);
        return name === 'UCID' || name === 'CallID' ? (idOf(sent) ?? sent) : sent;
      }),
    );
    const identity = values.find((some) => some.some((value) => value !== null));
    const name = contentHash(identity ?? []).slice(0, 20);
    const use = (uses.get(`${callId} ${name}`) ?? 0) + 1;
    uses.set(`${callId} ${name}`, use);
    return use === 1 ? name : `${name}-${use}`;
  };
};
