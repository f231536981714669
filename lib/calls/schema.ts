import * as z from 'zod/mini';
import { field, instant, Note, nonEmpty, nonEmptyList, seconds, word, words } from '../storage/field.ts';
import * as vocabularies from '../telephony/vocabularies.ts';

const duration = (origin: string, description: string) => field(z.optional(seconds), description, { origin });
const publicText = (origin: string, description: string) => field(z.optional(nonEmpty), description, { origin });
const personalText = (origin: string, description: string) =>
  field(z.optional(nonEmpty), description, { origin, personal: true });
const personalTexts = (origin: string, description: string) =>
  field(z.optional(nonEmptyList), description, { origin, personal: true });
const asSent = (origin: string) => personalText(origin, 'The word as sent, where it is unknown or has a parameter.');
const allAsSent = (origin: string) =>
  personalTexts(origin, 'The words as sent, where any is unknown or has a parameter.');

const extra = field(
  z.optional(z.record(z.string(), nonEmpty)),
  'Undocumented fields, as text; a list or an object as JSON, in which numbers are texts.',
  { personal: true },
);

/**
 * The facts of a call: blanks are absent, words have one spelling, times are instants. Lists come from the chains that a
 * transfer makes. They are not aligned with each other, so a position means nothing across fields.
 */
export const CallFacts = z
  .strictObject({
    status: field(z.optional(word(vocabularies.callStatuses.words)), 'Whether it was answered.', { origin: 'Status' }),
    statusAsSent: asSent('Status'),
    type: field(z.optional(word(vocabularies.callTypes.words)), 'The kind of call.', { origin: 'Type' }),
    typeAsSent: asSent('Type'),
    startedAt: field(z.optional(instant), 'When it started.', { origin: 'StartTime' }),
    endedAt: field(z.optional(instant), 'When it ended.', { origin: 'EndTime' }),
    approximateAt: field(
      z.optional(instant),
      'Near which instant it took place, where the call report has it without a start or an end: `PickupTime`, else the beginning of ' +
        'the day of the report. Never beside `startedAt` or `endedAt`.',
    ),
    timeZone: field(nonEmpty, 'The IANA zone of the sender’s local times.'),
    callDurationSeconds: duration('CallDuration', 'As sent. The service sends the time from start to end.'),
    durationSeconds: duration(
      'Duration',
      'As sent. The service sends the talk time; by specification it is the whole call.',
    ),
    timeToAnswerSeconds: duration('TimeToAnswer', 'How long the agent took to answer.'),
    conferenceSeconds: duration('ConfDuration', 'The conference within the call; it may exceed the call.'),
    holdSeconds: duration('HoldDuration', 'As sent; its meaning is not documented.'),
    wrapUpSeconds: duration(
      'WrapUpDuration',
      'As sent; its meaning is not documented. Without it, `TotalWrapupTime` of the undocumented fields.',
    ),
    handleSeconds: field(
      z.optional(seconds),
      'The agents’ time for the call: `TotalHandlingTime` of the undocumented fields. In real records it is talk and wrap-up.',
    ),
    customerNumber: personalText('CallerID', 'The customer’s telephone number.'),
    customerStatuses: field(z.optional(words(vocabularies.outcomes.words)), 'What happened on the customer’s side.', {
      origin: 'CustomerStatus',
    }),
    customerStatusesAsSent: allAsSent('CustomerStatus'),
    dialledNumber: personalText('DialedNumber', 'The number connected to the customer.'),
    dialStatuses: field(z.optional(words(vocabularies.outcomes.words)), 'The telephony responses.', {
      origin: 'DialStatus',
    }),
    dialStatusesAsSent: allAsSent('DialStatus'),
    did: publicText('dId', 'The campaign’s predefined number through which the call came.'),
    agentIds: field(z.optional(nonEmptyList), 'The login ids of every agent of the call.', { origin: 'AgentID' }),
    agentUniqueIds: field(z.optional(nonEmptyList), 'Numbers given to the agents at creation.', {
      origin: 'AgentUniqueID',
    }),
    agentNames: personalTexts('AgentName', 'The agents’ names; there may be fewer than ids.'),
    agentPhoneNumber: personalText('AgentPhoneNumber', 'The phone number of the log-in.'),
    agentStatuses: field(z.optional(words(vocabularies.outcomes.words)), 'What happened on the agents’ side.', {
      origin: 'AgentStatus',
    }),
    agentStatusesAsSent: allAsSent('AgentStatus'),
    phoneName: personalText('PhoneName', 'The name set for the agent’s number.'),
    hangupBy: field(z.optional(word(vocabularies.hangupParties.words)), 'Who ended the call.', { origin: 'HangupBy' }),
    hangupByAsSent: asSent('HangupBy'),
    campaignName: publicText('CampaignName', 'The campaign through which it was routed.'),
    campaignStatus: field(z.optional(word(vocabularies.campaignStatuses.words)), 'Whether the campaign was online.', {
      origin: 'CampaignStatus',
    }),
    campaignStatusAsSent: asSent('CampaignStatus'),
    skillName: publicText('Skill', 'The skill through which it was routed.'),
    location: publicText('Location', 'The location defined in the skill.'),
    fallbackSteps: field(z.optional(nonEmptyList), 'The campaign’s fallback rule for unanswered calls, in order.', {
      origin: 'FallBackRule',
    }),
    transferTypes: field(z.optional(words(vocabularies.transferTypes.words)), 'The kinds of target transferred to.', {
      origin: 'TransferType',
    }),
    transferTypesAsSent: allAsSent('TransferType'),
    transferredTo: personalTexts('TransferredTo', 'The targets: agents, skills or numbers.'),
    dispositions: field(z.optional(nonEmptyList), 'Set by the agents in after-call work.', { origin: 'Disposition' }),
    comments: personalTexts('Comments', 'The agents’ comments.'),
    recordings: personalTexts('AudioFile', 'URLs of the recordings, each once.'),
    conferenceRecordings: personalTexts('CallerConfAudioFile', 'URLs of the conference recordings, each once.'),
    uui: personalText('UUI', 'User-to-user call information, as sent.'),
    linkedCallId: field(z.optional(nonEmpty), 'The call that a skill transfer continues.', { origin: 'UUI' }),
    sourceCallId: publicText('CallID', 'As sent. The service sends the call’s own id once more.'),
    ucid: publicText('UCID', 'As sent. The service sends the id of one leg of the call.'),
    dataUniqueId: publicText('DataUniqueId', 'As sent; its meaning is not documented.'),
    extra,
    notes: field(z.optional(z.readonly(z.array(Note).check(z.minLength(1)))), 'Oddities of the values.'),
  })
  .register(z.globalRegistry, { title: 'Call facts' });
export type CallFacts = z.infer<typeof CallFacts>;

/** One leg of a call that has several: what the summaries with its UCID say. */
export const CallLeg = z
  .extend(CallFacts, { ucid: field(nonEmpty, 'The id of the leg.', { origin: 'UCID' }) })
  .register(z.globalRegistry, { title: 'Call leg' });
export type CallLeg = z.infer<typeof CallLeg>;

export type CallFact = keyof CallFacts;

/** The facts of a participant in a call (AdvancedCallBacks). The meaning of most fields is not documented. */
export const ParticipantFacts = z
  .strictObject({
    participantNumber: field(z.optional(nonEmpty), 'As sent.', {
      origin: 'ParticipantNumber',
      personal: true,
    }),
    agentName: field(z.optional(nonEmpty), 'The agent’s name.', { origin: 'AgentName', personal: true }),
    dialStatus: field(z.optional(word(vocabularies.outcomes.words)), 'The telephony response.', {
      origin: 'DialStatus',
    }),
    dialStatusAsSent: asSent('DialStatus'),
    exitStatus: field(z.optional(nonEmpty), 'As sent.', { origin: 'ExitStatus', personal: true }),
    startedAt: field(z.optional(instant), 'When the participation started.', { origin: 'StartTime' }),
    pickedUpAt: field(z.optional(instant), 'PickupTime as an instant.', { origin: 'PickupTime' }),
    endedAt: field(z.optional(instant), 'When the participation ended; absent while it lasts.', { origin: 'EndTime' }),
    timeZone: field(nonEmpty, 'The IANA zone of the sender’s local times.'),
    recordings: field(z.optional(nonEmptyList), 'URLs of the recordings, each once.', {
      origin: 'Audio',
      personal: true,
    }),
    did: field(z.optional(nonEmpty), 'The number through which the call came.', { origin: 'DID' }),
    sourceCallId: field(z.optional(nonEmpty), 'As sent.', { origin: 'CallID' }),
    ucid: field(z.optional(nonEmpty), 'As sent.', { origin: 'UCID' }),
    extra,
    notes: field(z.optional(z.readonly(z.array(Note).check(z.minLength(1)))), 'Oddities of the values.'),
  })
  .register(z.globalRegistry, { title: 'Participant facts' });
export type ParticipantFacts = z.infer<typeof ParticipantFacts>;
