import { contentHash } from '../core/content-hash.ts';
import type { Note } from '../schema/note.ts';
import { maxLengths, type WireCallField, wireCallFields } from '../telephony/call-fields.ts';
import { fieldReader, withNotes } from '../telephony/field-reader.ts';
import { type Folded, spellings } from '../telephony/fold-keys.ts';
import * as vocabularies from '../telephony/vocabularies.ts';
import type { CallFacts } from './schema.ts';

/** The documented fields by lower-case spelling. */
export const callSpellings = spellings(wireCallFields);

/** Practice: a skill transfer is reported as a second call, with the first one's id in its user-to-user information. */
const skillTransfer = /^SkillTransfer-(\d+)~/i;

/**
 * The facts of one posted call summary, in our names, units and words. Local times are read in `timeZone` (IANA). Keys are
 * in alphabetical order, so that the content hash does not have to sort them.
 */
export const normaliseCall = (posted: Folded<WireCallField>, timeZone: string): CallFacts => {
  const { text, chain, urls, word, words, seconds, instant, notes } = fieldReader(posted, timeZone, maxLengths);
  const status = word('Status', 'status', vocabularies.callStatuses);
  const type = word('Type', 'type', vocabularies.callTypes);
  const hangupBy = word('HangupBy', 'hangupBy', vocabularies.hangupParties);
  const campaignStatus = word('CampaignStatus', 'campaignStatus', vocabularies.campaignStatuses);
  const customerStatuses = words('CustomerStatus', 'customerStatuses', vocabularies.customerStatuses);
  const dialStatuses = words('DialStatus', 'dialStatuses', vocabularies.dialStatuses);
  const agentStatuses = words('AgentStatus', 'agentStatuses', vocabularies.agentStatuses);
  const transferTypes = words('TransferType', 'transferTypes', vocabularies.transferTypes);
  const uui = text('UUI', 'uui');
  // The id becomes the record's key. It is read here only to note what is odd about it.
  text('monitorUCID', 'callId');

  return withNotes(notes, {
    agentIds: chain('AgentID', 'agentIds'),
    agentNames: chain('AgentName', 'agentNames'),
    agentPhoneNumber: text('AgentPhoneNumber', 'agentPhoneNumber'),
    agentStatuses: agentStatuses?.words,
    agentStatusesAsSent: agentStatuses?.asSent,
    agentUniqueIds: chain('AgentUniqueID', 'agentUniqueIds'),
    callDurationSeconds: seconds('CallDuration', 'callDurationSeconds'),
    campaignName: text('CampaignName', 'campaignName'),
    campaignStatus: campaignStatus?.word,
    campaignStatusAsSent: campaignStatus?.asSent,
    comments: chain('Comments', 'comments'),
    conferenceRecordings: urls('CallerConfAudioFile', 'conferenceRecordings'),
    conferenceSeconds: seconds('ConfDuration', 'conferenceSeconds'),
    customerNumber: text('CallerID', 'customerNumber'),
    customerStatuses: customerStatuses?.words,
    customerStatusesAsSent: customerStatuses?.asSent,
    dataUniqueId: text('DataUniqueId', 'dataUniqueId'),
    dialStatuses: dialStatuses?.words,
    dialStatusesAsSent: dialStatuses?.asSent,
    dialledNumber: text('DialedNumber', 'dialledNumber'),
    did: text('dId', 'did'),
    dispositions: chain('Disposition', 'dispositions'),
    durationSeconds: seconds('Duration', 'durationSeconds'),
    endedAt: instant('EndTime', 'endedAt'),
    extra: Object.keys(posted.extra).length > 0 ? posted.extra : undefined,
    fallbackSteps: chain('FallBackRule', 'fallbackSteps'),
    hangupBy: hangupBy?.word,
    hangupByAsSent: hangupBy?.asSent,
    holdSeconds: seconds('HoldDuration', 'holdSeconds'),
    linkedCallId: skillTransfer.exec(uui ?? '')?.[1],
    location: text('Location', 'location'),
    phoneName: text('PhoneName', 'phoneName'),
    recordings: urls('AudioFile', 'recordings'),
    skillName: text('Skill', 'skillName'),
    sourceCallId: text('CallID', 'sourceCallId'),
    startedAt: instant('StartTime', 'startedAt'),
    status: status?.word,
    statusAsSent: status?.asSent,
    timeToAnswerSeconds: seconds('TimeToAnswer', 'timeToAnswerSeconds'),
    timeZone,
    transferTypes: transferTypes?.words,
    transferTypesAsSent: transferTypes?.asSent,
    transferredTo: chain('TransferredTo', 'transferredTo'),
    type: type?.word,
    typeAsSent: type?.asSent,
    ucid: text('UCID', 'ucid'),
    uui,
    wrapUpSeconds: seconds('WrapUpDuration', 'wrapUpSeconds'),
  });
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
    const text = fields.get(field);
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
