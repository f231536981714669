import { contentHash } from '../core/encoding.ts';
import { participantFields, type WireParticipantField, wireParticipantFields } from '../telephony/call-fields.ts';
import { fieldReader } from '../telephony/field-reader.ts';
import { type Folded, spellings } from '../telephony/fold-keys.ts';
import type { ParticipantFacts } from './schema.ts';

/** The documented fields by lower-case spelling. */
export const participantSpellings = spellings(wireParticipantFields);

/** The facts of one posted participant record, in our names, units and words. Local times are read in `timeZone` (IANA). */
export const normaliseParticipant: (posted: Folded<WireParticipantField>, timeZone: string) => ParticipantFacts =
  fieldReader(participantFields);

/**
 * The fields that identify a participant within its call, if the account's settings send any: those that are known from
 * its start, so a later delivery, which adds the end and a recording, has the same. The ids of the call and its leg come
 * into it only where all others are blank, since not every shape of a post has them.
 */
const identifying = [
  ['ParticipantNumber', 'StartTime', 'AgentName'],
  ['UCID', 'CallID'],
] as const;

/**
 * Names the participants of one post, each by a hash of its identifying fields as sent: the number is personal, keys get
 * logged, and an instant would change with the account's time zone. Participants of one post are never the same one.
 * Those with equal fields are numbered in the order of the list, so that a repeat of the list finds them again.
 */
export const participantNames = (): ((callId: string, posted: Folded<WireParticipantField>) => string) => {
  const uses = new Map<string, number>();
  return (callId, { fields }) => {
    const values = identifying.map((names) => names.map((name) => fields.get(name) ?? null));
    const known = values.find((some) => some.some((value) => value !== null));
    const name = contentHash(known ?? []).slice(0, 20);
    const use = (uses.get(`${callId} ${name}`) ?? 0) + 1;
    uses.set(`${callId} ${name}`, use);
    return use === 1 ? name : `${name}-${use}`;
  };
};
