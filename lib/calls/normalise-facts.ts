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
import type { AddedWordsByFact } from '../telephony/vocabularies.ts';
import { chosenTimes } from './ambiguous-times.ts';
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
  const times = chosenTimes({
    posted: [
      { fact: 'startedAt', text: posted.fields.get('StartTime') },
      { fact: 'endedAt', text: posted.fields.get('EndTime') },
    ],
    timeZone,
    notes: notesOf(read),
    seconds: read.callDurationSeconds,
  });
  return withLink({ ...read, ...times });
};

const withLink = (facts: CallFacts): CallFacts => {
  const sent = skillTransfer.exec(facts.uui ?? '')?.[1];
  if (isRoundedId(sent)) return withNotes([...notesOf(facts), { field: 'linkedCallId', reason: 'rounded-id' }], facts);
  const linkedCallId = idOf(sent);
  return linkedCallId === undefined || /\D/.test(linkedCallId) ? facts : { ...facts, linkedCallId };
};

export const participantSpellings = spellings(wireParticipantFields);

const participantFactsOf = fieldReader<ParticipantFacts>(Object.values(participantFields));

export const normaliseParticipant = (
  posted: FieldTexts<WireParticipantField>,
  { timeZone, words }: ReadingRules,
): ParticipantFacts => {
  const facts = participantFactsOf(posted, timeZone, words);
  const times = chosenTimes({
    posted: [
      { fact: 'startedAt', text: posted.fields.get('StartTime') },
      { fact: 'pickedUpAt', text: posted.fields.get('PickupTime') },
      { fact: 'endedAt', text: posted.fields.get('EndTime') },
    ],
    timeZone,
    notes: notesOf(facts),
  });
  return { ...facts, ...times };
};
