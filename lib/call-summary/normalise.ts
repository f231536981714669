import { type Folded, spellings } from '../callback/fold-keys.ts';
import { reading, withNotes } from '../record/reading.ts';
import type { CallFacts } from './model.ts';
import * as vocabularies from './vocabularies.ts';
import { type WireCallField, WireCallSummary } from './wire.ts';

const wireFields = WireCallSummary.keyof().options;

/** The documented fields by lower-case spelling. */
export const callSpellings = spellings(wireFields);

const limits = new Map(
  wireFields.flatMap((field): [WireCallField, number][] => {
    const maxLength = WireCallSummary.shape[field].meta()?.['maxLength'];
    return typeof maxLength === 'number' ? [[field, maxLength]] : [];
  }),
);

/** Practice: a skill transfer is reported as a second call, with the first one's id in its user-to-user information. */
const skillTransfer = /^SkillTransfer-(\d+)~/i;

/** What one posted call summary says, in our names, units and words. Local times are read in `timeZone` (IANA). */
export const normaliseCall = (posted: Folded<WireCallField>, timeZone: string): CallFacts => {
  const { text, chain, urls, word, words, seconds, instant, notes } = reading(posted, timeZone, limits);
  const status = word('Status', 'status', vocabularies.callStatuses);
  const type = word('Type', 'type', vocabularies.callTypes);
  const hangupBy = word('HangupBy', 'hangupBy', vocabularies.hangupParties);
  const campaignStatus = word('CampaignStatus', 'campaignStatus', vocabularies.campaignStatuses);
  const customerStatuses = words('CustomerStatus', 'customerStatuses', vocabularies.customerStatuses);
  const dialStatuses = words('DialStatus', 'dialStatuses', vocabularies.dialStatuses);
  const agentStatuses = words('AgentStatus', 'agentStatuses', vocabularies.agentStatuses);
  const transferTypes = words('TransferType', 'transferTypes', vocabularies.transferTypes);
  const uui = text('UUI', 'uui');
  // The id itself becomes the record's key; it is read here for what is odd about it.
  text('monitorUCID', 'callId');

  return withNotes(notes, {
    status: status?.word,
    statusAsSent: status?.asSent,
    type: type?.word,
    typeAsSent: type?.asSent,
    startedAt: instant('StartTime', 'startedAt'),
    endedAt: instant('EndTime', 'endedAt'),
    timeZone,
    callDurationSeconds: seconds('CallDuration', 'callDurationSeconds'),
    durationSeconds: seconds('Duration', 'durationSeconds'),
    timeToAnswerSeconds: seconds('TimeToAnswer', 'timeToAnswerSeconds'),
    conferenceSeconds: seconds('ConfDuration', 'conferenceSeconds'),
    holdSeconds: seconds('HoldDuration', 'holdSeconds'),
    wrapUpSeconds: seconds('WrapUpDuration', 'wrapUpSeconds'),
    customerNumber: text('CallerID', 'customerNumber'),
    customerStatuses: customerStatuses?.words,
    customerStatusesAsSent: customerStatuses?.asSent,
    dialledNumber: text('DialedNumber', 'dialledNumber'),
    dialStatuses: dialStatuses?.words,
    dialStatusesAsSent: dialStatuses?.asSent,
    did: text('dId', 'did'),
    agentIds: chain('AgentID', 'agentIds'),
    agentUniqueIds: chain('AgentUniqueID', 'agentUniqueIds'),
    agentNames: chain('AgentName', 'agentNames'),
    agentPhoneNumber: text('AgentPhoneNumber', 'agentPhoneNumber'),
    agentStatuses: agentStatuses?.words,
    agentStatusesAsSent: agentStatuses?.asSent,
    phoneName: text('PhoneName', 'phoneName'),
    hangupBy: hangupBy?.word,
    hangupByAsSent: hangupBy?.asSent,
    campaignName: text('CampaignName', 'campaignName'),
    campaignStatus: campaignStatus?.word,
    campaignStatusAsSent: campaignStatus?.asSent,
    skillName: text('Skill', 'skillName'),
    location: text('Location', 'location'),
    fallbackSteps: chain('FallBackRule', 'fallbackSteps'),
    transferTypes: transferTypes?.words,
    transferTypesAsSent: transferTypes?.asSent,
    transferredTo: chain('TransferredTo', 'transferredTo'),
    dispositions: chain('Disposition', 'dispositions'),
    comments: chain('Comments', 'comments'),
    recordings: urls('AudioFile', 'recordings'),
    conferenceRecordings: urls('CallerConfAudioFile', 'conferenceRecordings'),
    uui,
    linkedCallId: skillTransfer.exec(uui ?? '')?.[1],
    sourceCallId: text('CallID', 'sourceCallId'),
    ucid: text('UCID', 'ucid'),
    dataUniqueId: text('DataUniqueId', 'dataUniqueId'),
    extra: Object.keys(posted.extra).length > 0 ? posted.extra : undefined,
  });
};
