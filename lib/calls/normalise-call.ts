import { contentHash } from '../core/encoding.ts';
import { idOf } from '../core/text.ts';
import type { Note } from '../schema/note.ts';
import { callFields, type WireCallField, wireCallFields } from '../telephony/call-fields.ts';
import { fieldReader } from '../telephony/field-reader.ts';
import { type Folded, spellings } from '../telephony/fold-keys.ts';
import type { CallFacts } from './schema.ts';

/** The documented fields by lower-case spelling. */
export const callSpellings = spellings(wireCallFields);

/** Practice: a skill transfer is reported as a second call, with the first one's id in its user-to-user information. */
const skillTransfer = /^SkillTransfer-(\d+)~/i;

const readCall = fieldReader(callFields);

/** The facts of one posted call summary, in our names, units and words. Local times are read in `timeZone` (IANA). */
export const normaliseCall = (posted: Folded<WireCallField>, timeZone: string): CallFacts => {
  const facts = readCall(posted, timeZone);
  const linkedCallId = skillTransfer.exec(facts.uui ?? '')?.[1];
  return linkedCallId === undefined ? facts : { ...facts, linkedCallId };
};

/** The call of a summary, unique within an account, and what is odd about its id. */
export interface CallIdentity {
  readonly callId: string;
  readonly notes: readonly Note[];
}

/**
 * Practice: CallID repeats monitorUCID, and UCID is that of one leg of the call. So neither of them splits a call that
 * monitorUCID names, and where only one of them is sent, CallID is the better name.
 */
const identityFields = ['monitorUCID', 'CallID', 'UCID', 'DataUniqueId'] as const;

/** Practice: ids have 14 to 25 digits. A far longer text is no id, and might not fit into a key. */
const maxIdLength = 100;

/**
 * Ids stay the text that was sent. Without any id, the hash of the content identifies the call. Its local times are read
 * in UTC: the call stays the same one when the account's time zone is corrected.
 */
export const identityOf = (posted: Folded<WireCallField>): CallIdentity => {
  const { fields, nested } = posted;
  const isId = (field: WireCallField) => {
    const text = idOf(fields.get(field));
    return text !== undefined && text.length <= maxIdLength && !nested.has(field);
  };
  const source = identityFields.find(isId);
  return {
    callId: (source && fields.get(source)) ?? `content-${contentHash(normaliseCall(posted, 'UTC'))}`,
    notes: source === 'monitorUCID' ? [] : [fallbackNote(fields.get('monitorUCID'))],
  };
};

/** The note has an id that could not be used, because the record holds it nowhere else. */
const fallbackNote = (unusable: string | undefined): Note => ({
  field: 'callId',
  reason: 'fallback-identity',
  ...(unusable !== undefined && { asSent: unusable }),
});
