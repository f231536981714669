import { compare, keysOf } from '../core/collections.ts';
import {
  chain,
  derived,
  duration,
  type Erasure,
  type Fields,
  id,
  idChain,
  noteRoundedId,
  number,
  type PostedField,
  text,
  textChain,
  time,
  urls,
  wordOf,
  wordsOf,
} from './field-kinds.ts';
import * as vocabularies from './vocabularies.ts';

const ofAnswer = true;

const timeZone = derived('zone', 'The IANA zone of the sender’s local times.');
const extra = derived(
  'others',
  'Undocumented fields, as text; a list or an object as JSON, in which numbers are texts.',
  { erase: 'mention' },
);
const notes = derived('notes', 'Oddities of the values.');

/**
 * The facts of a call, each declared here and nowhere else: its kind, the sender’s spelling, its meaning, and what else is known
 * of it. Blanks are absent, words have one spelling, times are instants. Lists come from the chains that a transfer makes.
 * They are not aligned with each other, so a position means nothing across fields. Any field may come as text or as a number,
 * and any may be missing. The spelling varies from post to post; `fieldTexts` maps it to this one.
 */
export const callFacts = {
  status: wordOf('Status', vocabularies.callStatuses, 'Whether it was answered.', { ofAnswer, shows: 'summary' }),
  type: wordOf('Type', vocabularies.callTypes, 'The kind of call.', { max: 20 }),
  startedAt: time('StartTime', 'When it started.', { shows: 'summary' }),
  endedAt: time('EndTime', 'When it ended.', { shows: ['outcome', 'end'] }),
  approximateAt: derived(
    'time',
    'Near which instant it took place, where the call report has it without a start or an end: `PickupTime`, else the beginning of ' +
      'the day of the report. Never beside `startedAt` or `endedAt`.',
  ),
  timeZone,
  callDurationSeconds: duration('CallDuration', 'As sent. The service sends the time from start to end.', {
    shows: ['outcome', 'end'],
  }),
  durationSeconds: duration(
    'Duration',
    'As sent. The service sends the talk time; by specification it is the whole call.',
    { isWithinCall: true, shows: 'outcome' },
  ),
  timeToAnswerSeconds: duration('TimeToAnswer', 'How long the agent took to answer.', {
    isWithinCall: true,
    shows: 'outcome',
  }),
  conferenceSeconds: duration('ConfDuration', 'The conference within the call; it may exceed the call.', {
    shows: ['summary', 'end'],
  }),
  holdSeconds: duration('HoldDuration', 'As sent; its meaning is not documented.', {
    isWithinCall: true,
    shows: 'end',
  }),
  wrapUpSeconds: duration(
    'WrapUpDuration',
    'As sent; its meaning is not documented. Without it, `TotalWrapupTime` of the undocumented fields.',
    { shows: 'end' },
  ),
  handleSeconds: derived(
    'duration',
    'The agents’ time for the call: `TotalHandlingTime` of the undocumented fields. In real records it is talk and wrap-up.',
    { ofAnswer },
  ),
  customerNumber: number('CallerID', 'The customer’s telephone number.', {
    max: 255,
    erase: 'customer-number',
    shows: 'subject',
  }),
  customerStatuses: wordsOf('CustomerStatus', vocabularies.outcomes, 'What happened on the customer’s side.', {
    max: 50,
    ofAnswer,
    shows: 'outcome',
  }),
  dialledNumber: number('DialedNumber', 'The number connected to the customer.', {
    max: 20,
    erase: 'customer-number',
    shows: 'subject',
  }),
  dialStatuses: wordsOf('DialStatus', vocabularies.outcomes, 'The telephony responses.', {
    max: 100,
    ofAnswer,
    shows: 'outcome',
  }),
  did: text('dId', 'The campaign’s predefined number through which the call came.', { max: 30, shows: 'subject' }),
  agentIds: chain('AgentID', 'The login ids of every agent of the call.', { max: 255, ofAnswer, shows: 'subject' }),
  agentUniqueIds: idChain('AgentUniqueID', 'Numbers given to the agents at creation.', {
    max: 20,
    erase: 'agent-id',
    ofAnswer,
  }),
  agentNames: textChain('AgentName', 'The agents’ names; there may be fewer than ids.', {
    max: 255,
    erase: 'agent',
    ofAnswer,
  }),
  agentPhoneNumber: number('AgentPhoneNumber', 'The phone number of the log-in.', {
    max: 20,
    erase: 'agent',
    ofAnswer,
  }),
  agentStatuses: wordsOf('AgentStatus', vocabularies.outcomes, 'What happened on the agents’ side.', {
    max: 50,
    ofAnswer,
    shows: 'summary',
  }),
  phoneName: text('PhoneName', 'The name set for the agent’s number.', {
    max: 20,
    erase: 'agent',
    ofAnswer,
    shows: 'subject',
  }),
  hangupBy: wordOf('HangupBy', vocabularies.hangupParties, 'Who ended the call.', {
    max: 100,
    ofAnswer,
    shows: ['outcome', 'end'],
  }),
  campaignName: text('CampaignName', 'The campaign through which it was routed.', { max: 255 }),
  campaignStatus: wordOf('CampaignStatus', vocabularies.campaignStatuses, 'Whether the campaign was online.', {
    max: 20,
    shows: 'summary',
  }),
  skillName: text('Skill', 'The skill through which it was routed.', { max: 255 }),
  location: text('Location', 'The location defined in the skill.', { max: 255 }),
  fallbackSteps: chain('FallBackRule', 'The campaign’s fallback rule for unanswered calls, in order.', {
    max: 255,
    shows: 'summary',
  }),
  transferTypes: wordsOf('TransferType', vocabularies.transferTypes, 'The kinds of target transferred to.', {
    max: 30,
    ofAnswer,
    shows: 'summary',
  }),
  transferredTo: chain('TransferredTo', 'The targets: agents, skills or numbers.', {
    max: 30,
    erase: 'mention',
    ofAnswer,
  }),
  dispositions: textChain('Disposition', 'Set by the agents in after-call work.', {
    max: 100,
    shows: ['outcome', 'end'],
  }),
  comments: textChain('Comments', 'The agents’ comments.', { erase: 'text' }),
  recordings: urls('AudioFile', 'URLs of the recordings, each once.', { max: 500, shows: ['outcome', 'end'] }),
  conferenceRecordings: urls('CallerConfAudioFile', 'URLs of the conference recordings, each once.', {
    max: 500,
    shows: ['summary', 'end'],
  }),
  uui: text('UUI', 'User-to-user call information, as sent.', { max: 50, erase: 'text' }),
  linkedCallId: derived('id', 'The call that a skill transfer continues.', { origin: 'UUI' }),
  sourceCallId: id('CallID', 'As sent. The service sends the call’s own id once more.', { shows: ['id', 'subject'] }),
  ucid: id('UCID', 'As sent. The service sends the id of one leg of the call.', { shows: ['id', 'subject'] }),
  dataUniqueId: id('DataUniqueId', 'As sent; its meaning is not documented.', { shows: ['id', 'subject'] }),
  extra,
  notes,
} as const satisfies Fields;

/** The facts of a participant, as above. Neither a length nor which of them are required is documented. */
export const participantFacts = {
  participantNumber: number('ParticipantNumber', 'As sent.', { erase: 'customer-number' }),
  agentName: text('AgentName', 'The agent’s name.', { erase: 'agent' }),
  dialStatus: wordOf('DialStatus', vocabularies.outcomes, 'The telephony response.'),
  exitStatus: text('ExitStatus', 'As sent.', { erase: 'mention' }),
  startedAt: time('StartTime', 'When the participation started.'),
  pickedUpAt: time('PickupTime', 'PickupTime as an instant.'),
  endedAt: time('EndTime', 'When the participation ended; absent while it lasts.'),
  timeZone,
  recordings: urls('Audio', 'URLs of the recordings, each once.'),
  did: text('DID', 'The number through which the call came.'),
  sourceCallId: id('CallID', 'As sent.'),
  ucid: id('UCID', 'As sent.'),
  extra,
  notes,
} as const satisfies Fields;

type SpellingOf<Declared> = Extract<Declared[keyof Declared], { readonly spelling: string }>['spelling'];

const readFields = (facts: Fields): readonly PostedField[] =>
  Object.entries(facts).flatMap(([fact, field]) => (field.spelling === undefined ? [] : [{ ...field, fact }]));

function bySpelling<Spelling extends string>(fields: readonly PostedField[]): Readonly<Record<Spelling, PostedField>>;
function bySpelling(fields: readonly PostedField[]) {
  const named = fields.map((field) => [field.spelling, field] as const);
  return Object.fromEntries(named.sort(([a], [b]) => compare(a.toLowerCase(), b.toLowerCase())));
}

/** The fields of a call summary: those of its facts, the one that becomes its key, and those that only decide the account. */
export const callFields = bySpelling<WireCallField>([
  ...readFields(callFacts),
  { kind: 'key', spelling: 'monitorUCID', fact: 'callId', read: noteRoundedId, max: 20, shows: 'id' },
  { kind: 'sender', spelling: 'Apikey', fact: 'account', max: 250, shows: 'summary' },
  { kind: 'sender', spelling: 'UserName', fact: 'account', max: 50 },
]);
export type WireCallField = SpellingOf<typeof callFacts> | 'monitorUCID' | 'Apikey' | 'UserName';
export const wireCallFields = keysOf(callFields);

export const participantFields = bySpelling<WireParticipantField>(readFields(participantFacts));
export type WireParticipantField = SpellingOf<typeof participantFacts>;
export const wireParticipantFields = keysOf(participantFields);

type Declared = Fields[string];

export const factsThat = (fits: (declared: Declared) => boolean, facts: Fields = callFacts): readonly string[] =>
  Object.entries(facts).flatMap(([fact, declared]) => (fits(declared) ? [fact] : []));

export const factsErasedAs = (...erasures: readonly Erasure[]): readonly string[] => {
  const isErased = ({ erase }: Declared) => erase !== undefined && erasures.includes(erase);
  return [...new Set([callFacts, participantFacts].flatMap((facts) => factsThat(isErased, facts)))];
};

export const recordingFacts = factsThat(({ kind }) => kind === 'urls');

export const numberFacts = [callFacts, participantFacts].flatMap((facts) =>
  factsThat(({ kind }) => kind === 'number', facts),
);
