import type { Call } from '../floor/call.ts';
import type { Agent, Engagement } from '../floor/floor.ts';
import { legIdAt } from '../posts/shapes.ts';
import { between, chance, pick, randomOf } from '../random.ts';
import type { ReportSettings, SimulatedAccount } from '../settings.ts';
import type { ReportedCall } from '../simulated-call.ts';
import {
  bareNumber,
  type Fields,
  formatDuration,
  localTime,
  type Rewrite,
  summaryOf,
  type Value,
  withTexts,
} from '../summary.ts';

/**
 * The legs of a call as the call report lists them, one for each agent who took part. Sometimes a leg of an agent who
 * did not pick up comes before. Legs that the callbacks name have the same ids here.
 */
export const legsOf = ({ call, namedLegs }: ReportedCall, staff: readonly Agent[]): readonly Call[] => {
  if (call.engagements.length > 1)
    return call.engagements.map((engagement, index) => agentLeg(call, engagement, index));
  if (namedLegs.length > 1) return namedLegs;
  const missed = missedLeg(call, staff);
  return missed === undefined ? [call] : [missed, call];
};

/** The part of one agent. Only the last one disposes of the call, and the others were not transferred to. */
const agentLeg = (call: Call, engagement: Engagement, index: number): Call => {
  const { ringsAt, talksAt, leavesAt } = engagement;
  const leg = {
    ...call,
    legId: legIdAt(call, index),
    startedAt: ringsAt,
    endedAt: leavesAt,
    ringSeconds: (talksAt - ringsAt) / 1000,
    talkSeconds: (leavesAt - talksAt) / 1000,
    engagements: [engagement],
  };
  if (index === call.engagements.length - 1) return leg;
  return { ...leg, holdSeconds: 0, transferredTo: '', words: { ...call.words, disposition: '', comments: '' } };
};

/** The share of answered inbound calls that rang at another agent first. */
const missedShare = 0.15;

/** The leg of an agent who let an answered inbound call ring. Callbacks do not contain it. */
const missedLeg = (call: Call, staff: readonly Agent[]): Call | undefined => {
  const random = randomOf(call.id, 1);
  const [engagement] = call.engagements;
  const others = staff.filter(({ id, skills }) => id !== engagement?.agent.id && skills.includes(call.campaign.skill));
  const isMissed = call.type === 'Inbound' && call.scenario.answered && chance(random, missedShare);
  if (!isMissed || engagement === undefined || others.length === 0) return undefined;

  return {
    ...call,
    legId: legIdAt(call, 1),
    endedAt: engagement.talksAt,
    talkSeconds: 0,
    holdSeconds: 0,
    wrapUpSeconds: 0,
    conferenceSeconds: 0,
    engagements: [{ ...engagement, agent: pick(random, others), leavesAt: engagement.talksAt }],
    scenario: { name: call.scenario.name, probability: 0, types: [], agents: [1, 1], answered: false, recorded: false },
    transferredTo: '',
    words: {
      ...call.words,
      agentStatus: 'not_answered',
      dialStatus: 'not_answered',
      disposition: '',
      comments: '',
    },
  };
};

const hour = 3_600_000;
/** The share of calls whose recording and disposition come `lateHours` later. */
const lateShare = 0.1;

/**
 * When the parts of a call reach the report, in milliseconds since the epoch. The call itself is there when it ends;
 * recordings and dispositions come minutes later.
 */
export const reportTimesOf = (call: Call, { lateHours }: Pick<ReportSettings, 'lateHours'>) => {
  const random = randomOf(call.id, 2);
  const [recording, disposition] = [between(random, 30, 120), between(random, 30, 180)];
  const late = chance(random, lateShare) ? lateHours * hour : 0;

  return {
    recordingAt: call.endedAt + recording * 1000 + late,
    dispositionAt: call.endedAt + (call.wrapUpSeconds + disposition) * 1000 + late,
  };
};

/** A leg as the report knows it at an instant. */
export const legAt = (
  leg: Call,
  { recordingAt, dispositionAt }: ReturnType<typeof reportTimesOf>,
  at: number,
): Call => ({
  ...leg,
  ...(at < dispositionAt && { wrapUpSeconds: 0, words: { ...leg.words, disposition: '', comments: '' } }),
  ...(at < recordingAt && { scenario: { ...leg.scenario, recorded: false } }),
});

/** The record of a leg. `rewrite` applies the quirks of the call's content, so that report and callbacks agree. */
export const recordOf = (
  leg: Call,
  account: SimulatedAccount,
  rewrite: Rewrite,
  { ids, blanks }: ReportSettings,
): Fields => {
  const summary = rewrite(summaryOf(leg, account, 'array'));
  const summarised = (key: string): Value => summary[key] ?? '';
  const id = (digits: string): Value => (ids === 'numbers' ? bareNumber(digits) : digits);
  const record: Fields = {
    CallID: id(leg.id),
    ...timesOf(leg, account.timeZone),
    CallerID: leg.customer,
    DialedNumber: summarised('DialedNumber'),
    E164: `+${leg.customer}`,
    DID: leg.campaign.did,
    Location: leg.campaign.location,
    ...agentOf(leg, account.timeZone),
    Skill: leg.campaign.skill,
    CampaignName: leg.campaign.name,
    CallFlow: leg.words.fallBackRule,
    Type: leg.type === 'Inbound' ? 'InBound' : leg.type,
    Status: leg.scenario.answered ? 'Answered' : 'Unanswered',
    DialStatus: summarised('DialStatus'),
    AgentDialStatus: summarised('AgentStatus'),
    CustomerDialStatus: summarised('CustomerStatus'),
    Disposition: leg.words.disposition,
    Comments: leg.words.comments,
    HangupBy: summarised('HangupBy'),
    DialCount: bareNumber('1'),
    UCID: id(leg.legId),
    UUI: leg.userText,
    CallAudio: leg.scenario.recorded ? summarised('AudioFile') : '',
    CallerConfAudioFile: leg.scenario.recorded ? summarised('CallerConfAudioFile') : '',
    ConferenceDuration: summarised('ConfDuration'),
    DialOutName: '',
    DynamicDID: '',
    Rating: bareNumber('0'),
    RatingComments: '',
    TransferType: leg.transferredTo === '' ? '' : (leg.scenario.transfer ?? ''),
    TransferredTo: leg.transferredTo,
    VideoRecordingURL: '',
  };
  if (blanks === 'blank') return record;
  return withTexts(record, Object.keys(record), (text) => text.replaceAll(' ', '+'));
};

/** Times of day without a date. An end after midnight is smaller than the start. */
const clock = (at: number, timeZone: string): string => localTime(at, timeZone).slice(11);

/** Unlike in the callback, `Duration` is the whole leg. */
const timesOf = (leg: Call, timeZone: string): Fields => {
  const { startedAt, endedAt, ringSeconds, talkSeconds, wrapUpSeconds, scenario } = leg;

  return {
    CallDate: localTime(startedAt, timeZone).slice(0, 10),
    StartTime: clock(startedAt, timeZone),
    EndTime: clock(endedAt, timeZone),
    Duration: formatDuration(ringSeconds + talkSeconds),
    TalkTime: formatDuration(talkSeconds),
    HandlingTime: formatDuration(talkSeconds + wrapUpSeconds),
    QueueTime: formatDuration(0),
    HoldDuration: formatDuration(leg.holdSeconds),
    WrapupDuration: formatDuration(wrapUpSeconds),
    CustomerRingTime: formatDuration(leg.type === 'Inbound' ? 0 : ringSeconds),
    PickupTime: scenario.answered ? clock(startedAt + ringSeconds * 1000, timeZone) : '',
  };
};

/** The agent of a leg, and when that agent answered and wrapped up. */
const agentOf = (leg: Call, timeZone: string): Fields => {
  const { endedAt, ringSeconds, wrapUpSeconds, scenario } = leg;
  const agent = leg.engagements[0]?.agent;
  const wrapsUp = agent !== undefined && wrapUpSeconds > 0;

  return {
    AgentID: agent?.id ?? '',
    AgentName: agent?.name ?? '',
    Event: agent === undefined ? '' : 'AgentDial',
    TimeToAnswer: formatDuration(agent !== undefined && scenario.answered ? ringSeconds : 0),
    WrapUpStartTime: wrapsUp ? clock(endedAt, timeZone) : '',
    WrapUpEndTime: wrapsUp ? clock(endedAt + wrapUpSeconds * 1000, timeZone) : '',
  };
};
