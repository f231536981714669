import { contentHash } from '../core/content-hash.ts';
import { type WireParticipantField, wireParticipantFields } from '../telephony/call-fields.ts';
import { fieldReader, withNotes } from '../telephony/field-reader.ts';
import { type Folded, spellings } from '../telephony/fold-keys.ts';
import { dialStatuses } from '../telephony/vocabularies.ts';
import type { ParticipantFacts } from './schema.ts';

/** The documented fields by lower-case spelling. */
export const participantSpellings = spellings(wireParticipantFields);

/**
 * The facts of one posted participant record, in our names, units and words. Local times are read in `timeZone` (IANA).
 * Keys are in alphabetical order, so that the content hash does not have to sort them.
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
 * The id of a participant within its call. The sender gives none, so it is made of the facts that are present from the
 * start: CallID, number and start. It stays the same when a later delivery adds the end. Without any of these the
 * content itself is the id. It is a hash, because the number is personal and keys get logged.
 */
export const participantIdOf = (facts: ParticipantFacts): string => {
  const identifying = [facts.sourceCallId, facts.participantNumber, facts.startedAt];
  const isIdentified = identifying.some((value) => value !== undefined);
  return contentHash(isIdentified ? identifying.map((value) => value ?? null) : facts).slice(0, 20);
};
