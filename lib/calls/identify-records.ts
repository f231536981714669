import { contentHash } from '../core/encoding.ts';
import { clockText } from '../core/time.ts';
import type { Note } from '../storage/field.ts';
import type { WireCallField, WireParticipantField } from '../telephony/call-fields.ts';
import { type FieldTexts, idOf, isRoundedId } from '../telephony/posted-fields.ts';
import { withoutSignature } from '../telephony/signed-links.ts';
import { normaliseCall } from './normalise-facts.ts';

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

/**
 * What identifies a participant within its call, known from its start: a later delivery has the same. Ids of the call and
 * its leg count only where all others are blank, since not every shape of a post has them.
 */
const identifying = [
  ['ParticipantNumber', 'StartTime', 'AgentName'],
  ['UCID', 'CallID'],
] as const;

type IdentifyingField = (typeof identifying)[number][number];

const identifyingValue = (name: IdentifyingField, sent: string | undefined): string | null => {
  if (sent === undefined) return null;
  if (name === 'StartTime') return clockText(sent);
  return name === 'UCID' || name === 'CallID' ? (idOf(sent) ?? sent) : sent;
};

/**
 * Names the participants of one post, each by a hash of its identifying fields as sent. The participant's number is not used as
 * the name: numbers are personal, and keys get logged. A start counts as the time of the clock, as an instant would change with
 * the account's time zone. Participants of one post are never the same one. Those with equal fields are numbered in the
 * order of the list, so that a repeat of the list finds them again.
 */
export const participantNames = (): ((callId: string, posted: FieldTexts<WireParticipantField>) => string) => {
  const uses = new Map<string, number>();
  return (callId, { fields }) => {
    const groups = identifying.map((names) => names.map((name) => identifyingValue(name, fields.get(name))));
    const identity = groups.find((values) => values.some((value) => value !== null));
    const name = contentHash(identity ?? []).slice(0, 20);
    const use = (uses.get(`${callId} ${name}`) ?? 0) + 1;
    uses.set(`${callId} ${name}`, use);
    return use === 1 ? name : `${name}-${use}`;
  };
};
