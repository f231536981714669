import type { Account } from '../../lib/accounts/accounts.ts';
import { documentedDuration } from '../../lib/core/time.ts';
import type { PlannedCall } from './call.ts';
import { type Subject, subjectOf, summaryOf } from './call-fields.ts';
import {
  bareNumber,
  type FieldTable,
  fieldsBy,
  type Rewrite,
  type SentFields,
  type Value,
  wallTime,
  withTexts,
} from './sent-fields.ts';

/** Fields of the report with the value of the callback's field, quirks of its content included. */
const sameFields = [
  'DialedNumber',
  'DID',
  'CallerID',
  'Location',
  'Skill',
  'CampaignName',
  'UUI',
  'HangupBy',
  'DialStatus',
  'AgentID',
  'AgentName',
  'Disposition',
  'Comments',
  'HoldDuration',
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
const reportFields: FieldTable<Subject> = {
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
