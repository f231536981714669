import { contentHash } from '../core/content-hash.ts';
import { type WireParticipantField, wireParticipantFields } from '../telephony/call-fields.ts';
import { fieldReader, withNotes } from '../telephony/field-reader.ts';
import { type Folded, spellings } from '../telephony/fold-keys.ts';
import { dialStatuses } from '../telephony/vocabularies.ts';
import type { ParticipantFacts } from './schema.ts';

/** The documented fields by lower-case spelling. */
export const participantSpellings = spellings(wireParticipantFields);

/**
 * What one posted participant record says, in our names, units and words. Local times are read in `timeZone` (IANA). In
 * alphabetical order, by which content is named.
 */
export const normaliseParticipant = (posted: Folded<WireParticipantField>, timeZone: string): ParticipantFacts => {
  const { text, urls, word, instant, notes } = fieldReader(posted, timeZone, new Map());
  const dialStatus = word('DialStatus', 'dialStatus', dialStatuses);

  return withNotes(notes, {
    agentName: text('AgentName', 'agentName'),
    dialStatus: dialStatus?.word,
    dialStatusAsSent: dialStatus?.asSent,
    did: text('DID', 'did'),
    endedAt: instant('EndTime', 'endedAt'),
    exitStatus: text('ExitStatus', 'exitStatus'),
    extra: Object.keys(posted.extra).length > 0 ? posted.extra : undefined,
    participantNumber: text('ParticipantNumber', 'participantNumber'),
    pickedUpAt: instant('PickupTime', 'pickedUpAt'),
    recordings: urls('Audio', 'recordings'),
    sourceCallId: text('CallID', 'sourceCallId'),
    startedAt: instant('StartTime', 'startedAt'),
    timeZone,
    ucid: text('UCID', 'ucid'),
  });
};

/**
 * Names a participation within its call. There is no id for it: what is known when it starts (CallID, number, start)
 * stays the same when a later delivery adds its end; without any of it the content itself is the name. Hashed, since the number is a person's and keys get logged.
 */
export const participantIdOf = (facts: ParticipantFacts): string => {
  const known = [facts.sourceCallId, facts.participantNumber, facts.startedAt];
  const isNamed = known.some((value) => value !== undefined);
  return contentHash(isNamed ? known.map((value) => value ?? null) : facts).slice(0, 20);
};
