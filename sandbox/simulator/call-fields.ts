import type { Account } from '../../lib/accounts/accounts.ts';
import { documentedDuration } from '../../lib/core/time.ts';
import { callFields } from '../../lib/telephony/call-fields.ts';
import type { PlannedCall } from './call.ts';
import { bareNumber, type FieldTable, fieldsBy, type SentFields, wallTime } from './sent-fields.ts';

export const keyOf = ({ apiKeys: [key = ''] }: Pick<Account, 'apiKeys'>): string => key;

/** The call or leg that fields are of. */
export interface Subject extends PlannedCall {
  readonly account: Account;
  readonly agent: PlannedCall['engagements'][number]['agent'] | undefined;
}

/** The fields of a call summary. The one for the campaign's number has another key in arrays, as in the specification's samples. */
const summaryFields = (didKey: 'Did' | 'DID'): FieldTable<Subject> => ({
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
const ownFields: FieldTable<Subject> = {
  ...summaryFields('DID'),
  AgentUniqueID: (call) => (call.engagements.length === 1 ? bareNumber(uniqueIdsOf(call)) : uniqueIdsOf(call)),
  DataUniqueId: ({ entryId }) => entryId,
  HoldDuration: ({ holdSeconds }) => documentedDuration(holdSeconds),
  WrapUpDuration: ({ wrapUpSeconds }) => documentedDuration(wrapUpSeconds),
  CallID: ({ id }) => bareNumber(id),
  UCID: ({ legId }) => bareNumber(legId),
};

/** How the service writes a value of each kind. A field that is declared and not simulated above has it, in arrays. */
const ofKind: FieldTable<Subject> = {
  duration: ({ talkSeconds }) => documentedDuration(talkSeconds),
  time: ({ endedAt, account }) => wallTime(endedAt, account.timeZone),
  id: ({ entryId }) => entryId,
  urls: (call) => recordingUrl(call, 'other'),
};

export const withDeclared = (
  own: FieldTable<Subject>,
  declared: readonly { readonly kind: string; readonly spelling: string }[],
): FieldTable<Subject> => {
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

export const subjectOf = (call: PlannedCall, account: Account): Subject => ({
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

/** The records of the participants of a call: the customer, and each agent. */
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

/** The host of recordings, which exists in the simulator only. */
export const recordingsHost = 'recordings.example.com';

export const recordingUrl = ({ id }: PlannedCall, name: string): string =>
  `https://${recordingsHost}/${id}-${name}.mp3`;
