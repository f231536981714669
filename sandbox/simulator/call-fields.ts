import type { Account } from '../../lib/accounts/accounts.ts';
import { documentedDuration } from '../../lib/core/time.ts';
import { callFields } from '../../lib/telephony/call-fields.ts';
import type { PlannedCall } from './call.ts';

export const keyOf = ({ apiKeys: [key = ''] }: Pick<Account, 'apiKeys'>): string => key;

declare global {
  /** The language has it, TypeScript's library for ES2024 does not. */
  interface JSON {
    rawJSON(text: string): BareNumber;
  }
}

interface BareNumber {
  readonly rawJSON: string;
}

/** A bare JSON number with exactly these digits. A JavaScript number would round long ones. */
export const bareNumber = (digits: string): BareNumber => JSON.rawJSON(digits);

export type Value = string | BareNumber | null;

export type SentFields = Readonly<Record<string, Value>>;
export type Rewrite = (fields: SentFields) => SentFields;

export const withTexts = (fields: SentFields, keys: readonly string[], change: (text: string) => Value): SentFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      keys.includes(key) && typeof value === 'string' && value !== '' ? [key, change(value)] : [key, value],
    ),
  );

type Table<Subject> = Readonly<Record<string, (subject: Subject) => Value>>;

const fieldsBy = <Subject>(table: Table<Subject>, subject: Subject): SentFields =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, value(subject)]));

interface Subject extends PlannedCall {
  readonly account: Account;
  readonly agent: PlannedCall['engagements'][number]['agent'] | undefined;
}

/** The fields of a call summary. The one for the campaign's number has another key in arrays, as in the specification's samples. */
const summaryFields = (didKey: 'Did' | 'DID'): Table<Subject> => ({
  monitorUCID: ({ id }) => id,
  UUI: ({ userText }) => userText,
  [didKey]: ({ campaign }) => campaign.did,
  CampaignName: ({ campaign }) => campaign.name,
  CampaignStatus: () => 'ONLINE',
  Location: ({ campaign }) => campaign.location,
  CallerID: ({ customer }) => customer,
  PhoneName: ({ agent }) => (agent === undefined ? '' : `${agent.id}-phone`),
  Skill: ({ campaign }) => campaign.skill,
  StartTime: ({ startedAt, account }) => wallTime(startedAt, account.timeZone),
  EndTime: ({ endedAt, account }) => wallTime(endedAt, account.timeZone),
  TimeToAnswer: ({ scenario, agent, ringSeconds }) =>
    scenario.answered && agent ? documentedDuration(ringSeconds) : '',
  CallDuration: ({ ringSeconds, talkSeconds }) => documentedDuration(ringSeconds + talkSeconds),
  Duration: ({ talkSeconds }) => documentedDuration(talkSeconds),
  ConfDuration: ({ conferenceSeconds }) => documentedDuration(conferenceSeconds),
  FallBackRule: ({ words }) => words.fallBackRule,
  DialedNumber: ({ type, agent, customer }) => (type === 'Inbound' ? (agent?.number ?? '') : customer),
  Type: ({ type }) => type,
  // Positions in the next three lists do not match, as in the real service: ids are sorted as text, unique ids as numbers,
  // and names by turn. Of more than two names the last is missing.
  AgentID: (call) => chain(agentsOf(call, 'id').sort()),
  AgentUniqueID: (call) => uniqueIdsOf(call),
  AgentName: (call) => chain(agentsOf(call, 'name').slice(0, call.engagements.length > 2 ? -1 : undefined)),
  AgentPhoneNumber: ({ agent }) => agent?.number ?? '',
  AgentStatus: (call) => perAgent(call, call.words.agentStatus),
  CustomerStatus: (call) => perAgent(call, call.words.customerStatus),
  DialStatus: (call) => perAgent(call, call.words.dialStatus),
  Disposition: (call) => byLastAgent(call, call.words.disposition),
  Comments: (call) => byLastAgent(call, call.words.comments),
  HangupBy: ({ words }) => words.hangupBy,
  Status: ({ scenario }) => (scenario.answered ? 'Answered' : 'NotAnswered'),
  AudioFile: (call) => (call.scenario.recorded ? recordingUrl(call, '1') : ''),
  CallerConfAudioFile: (call) => (call.scenario.conference ? recordingUrl(call, 'conference-1') : ''),
  // A transfer between agents is one record. Its lists begin with the first agent, who was not transferred to.
  TransferType: (call) =>
    isBetweenAgents(call)
      ? perAgent(call, 'Agent').replace('Agent', 'No Transfers')
      : (call.scenario.transfer ?? 'No Transfers'),
  TransferredTo: (call) => (isBetweenAgents(call) ? byLastAgent(call, call.transferredTo) : call.transferredTo),
  Apikey: ({ account }) => keyOf(account),
  UserName: ({ account }) => account.userName,
});

const singleFields = summaryFields('Did');
const ownFields: Table<Subject> = {
  ...summaryFields('DID'),
  AgentUniqueID: (call) => (call.engagements.length === 1 ? bareNumber(uniqueIdsOf(call)) : uniqueIdsOf(call)),
  DataUniqueId: ({ entryId }) => entryId,
  HoldDuration: ({ holdSeconds }) => documentedDuration(holdSeconds),
  WrapUpDuration: ({ wrapUpSeconds }) => documentedDuration(wrapUpSeconds),
  CallID: ({ id }) => bareNumber(id),
  UCID: ({ legId }) => bareNumber(legId),
};

/** How the service writes a value of each kind. A field that is declared and not simulated above has it, in arrays. */
const ofKind: Table<Subject> = {
  duration: ({ talkSeconds }) => documentedDuration(talkSeconds),
  time: ({ endedAt, account }) => wallTime(endedAt, account.timeZone),
  id: ({ entryId }) => entryId,
  urls: (call) => recordingUrl(call, 'other'),
};

export const withDeclared = (
  own: Table<Subject>,
  declared: readonly { readonly kind: string; readonly spelling: string }[],
): Table<Subject> => {
  const simulated = new Set(Object.keys(own).map((key) => key.toLowerCase()));
  const others = declared.filter(({ spelling }) => !simulated.has(spelling.toLowerCase()));
  return {
    ...own,
    ...Object.fromEntries(others.map(({ kind, spelling }) => [spelling, ofKind[kind] ?? (() => kind)])),
  };
};

const arrayFields = withDeclared(ownFields, Object.values(callFields));

/** A call summary with every field of the contract and no quirk: alone, or the first element of an array. */
export const summaryOf = (call: PlannedCall, account: Account, shape: 'single' | 'array'): SentFields =>
  fieldsBy(shape === 'single' ? singleFields : arrayFields, subjectOf(call, account));

const subjectOf = (call: PlannedCall, account: Account): Subject => ({
  ...call,
  account,
  agent: call.engagements.at(-1)?.agent,
});

const chain = (links: readonly string[]): string => links.join(' -> ');

const perAgent = ({ engagements }: PlannedCall, word: string): string =>
  chain(Array.from({ length: Math.max(1, engagements.length) }, () => word));

const byLastAgent = ({ engagements }: PlannedCall, word: string): string =>
  word === '' ? '' : chain([...engagements.slice(1).map(() => ''), word]);

const agentsOf = ({ engagements }: PlannedCall, key: 'id' | 'uniqueId' | 'name'): string[] =>
  engagements.map(({ agent }) => agent[key]);

const uniqueIdsOf = (call: PlannedCall): string =>
  chain(agentsOf(call, 'uniqueId').sort((one, other) => Number(one) - Number(other)));

const isBetweenAgents = ({ scenario }: PlannedCall): boolean => scenario.transfer === 'Agent';

/** Fields of the report with the value of the callback's field, quirks of its content included. */
const sameFields = [
  ...['DialedNumber', 'DID', 'CallerID', 'Location', 'Skill', 'CampaignName', 'UUI', 'HangupBy', 'DialStatus'],
  ...['AgentID', 'AgentName', 'Disposition', 'Comments', 'HoldDuration'],
];
/** The fields that have other names here. `Duration` is the whole leg here, and the talk time in callbacks. */
const renamedFields = {
  CallFlow: 'FallBackRule',
  AgentDialStatus: 'AgentStatus',
  CustomerDialStatus: 'CustomerStatus',
  Duration: 'CallDuration',
  TalkTime: 'Duration',
  WrapupDuration: 'WrapUpDuration',
  ConferenceDuration: 'ConfDuration',
};
const postedFields = [...sameFields.map((key) => [key, key] as const), ...Object.entries(renamedFields)];

/** The other fields of the report. Times of day have no date: an end after midnight is smaller than the start. */
const reportFields: Table<Subject> = {
  CallDate: ({ startedAt, account }) => wallTime(startedAt, account.timeZone).slice(0, 10),
  StartTime: ({ startedAt, account }) => clock(startedAt, account),
  EndTime: ({ endedAt, account }) => clock(endedAt, account),
  HandlingTime: ({ talkSeconds, wrapUpSeconds }) => documentedDuration(talkSeconds + wrapUpSeconds),
  QueueTime: () => documentedDuration(0),
  CustomerRingTime: ({ type, ringSeconds }) => documentedDuration(type === 'Inbound' ? 0 : ringSeconds),
  PickupTime: ({ scenario, startedAt, ringSeconds, account }) =>
    scenario.answered ? clock(startedAt + ringSeconds * 1000, account) : '',
  TimeToAnswer: ({ scenario, agent, ringSeconds }) => documentedDuration(agent && scenario.answered ? ringSeconds : 0),
  WrapUpStartTime: (leg) => (wrapsUp(leg) ? clock(leg.endedAt, leg.account) : ''),
  WrapUpEndTime: (leg) => (wrapsUp(leg) ? clock(leg.endedAt + leg.wrapUpSeconds * 1000, leg.account) : ''),
  E164: ({ customer }) => `+${customer}`,
  Event: ({ agent }) => (agent ? 'AgentDial' : ''),
  Type: ({ type }) => (type === 'Inbound' ? 'InBound' : type),
  Status: ({ scenario }) => (scenario.answered ? 'Answered' : 'Unanswered'),
  TransferType: ({ transferredTo, scenario }) => (transferredTo === '' ? '' : (scenario.transfer ?? '')),
  TransferredTo: ({ transferredTo }) => transferredTo,
  DialCount: () => bareNumber('1'),
  Rating: () => bareNumber('0'),
  DialOutName: () => '',
  DynamicDID: () => '',
  RatingComments: () => '',
  VideoRecordingURL: () => '',
};

const clock = (at: number, { timeZone }: Account): string => wallTime(at, timeZone).slice(11);
const wrapsUp = ({ agent, wrapUpSeconds }: Subject): boolean => agent !== undefined && wrapUpSeconds > 0;

/** The record of a leg. `rewrite` applies the quirks of the call's content, so that report and callbacks agree. */
export const simulatedRecordOf = (
  leg: PlannedCall,
  account: Account,
  rewrite: Rewrite,
  { ids, blanks }: { readonly ids: 'numbers' | 'text'; readonly blanks: 'blank' | 'plus' },
): SentFields => {
  const posted = rewrite(summaryOf(leg, account, 'array'));
  const id = (digits: string): Value => (ids === 'numbers' ? bareNumber(digits) : digits);
  const record: SentFields = {
    CallID: id(leg.id),
    UCID: id(leg.legId),
    ...Object.fromEntries(postedFields.map(([key, postedKey]) => [key, posted[postedKey] ?? ''])),
    CallAudio: leg.scenario.recorded ? (posted['AudioFile'] ?? '') : '',
    CallerConfAudioFile: leg.scenario.recorded ? (posted['CallerConfAudioFile'] ?? '') : '',
    ...fieldsBy(reportFields, subjectOf(leg, account)),
  };
  if (blanks === 'blank') return record;
  return withTexts(record, Object.keys(record), (text) => text.replaceAll(' ', '+'));
};

export const participantsOf = (call: PlannedCall, account: Account): readonly SentFields[] => {
  const local = (at: number): string => wallTime(at, account.timeZone);
  const record = (place: number, own: SentFields): SentFields => ({
    AgentName: '',
    Audio: null,
    CallID: bareNumber(`${BigInt(call.legId) + BigInt(place)}`),
    DID: call.campaign.did,
    DialStatus: 'SUCCESS',
    // The service never reports when the caller left.
    EndTime: null,
    ExitStatus: '',
    ParticipantNumber: call.customer,
    PickupTime: local(call.startedAt),
    StartTime: local(call.startedAt),
    UCID: bareNumber(call.id),
    ...own,
  });

  return [
    record(0, {}),
    ...call.engagements.map(({ agent, talksAt, leavesAt }, index) =>
      record(index + 1, {
        AgentName: agent.name,
        Audio: call.scenario.recorded ? recordingUrl(call, `${index + 1}`) : null,
        EndTime: local(leavesAt),
        ExitStatus: 'NORMAL_CLEARING',
        ParticipantNumber: agent.number,
        PickupTime: local(talksAt),
      }),
    ),
  ];
};

/** The host of recordings. It exists in the simulator only. */
export const recordingsHost = 'recordings.example.com';

export const recordingUrl = ({ id }: PlannedCall, name: string): string =>
  `https://${recordingsHost}/${id}-${name}.mp3`;

/** Formats are cached, as constructing one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

export const wallTime = (at: number, timeZone: string): string => {
  // The Swedish date format is the one of the service.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format.format(at);
};

export const parseDuration = (clock: string): number =>
  clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
