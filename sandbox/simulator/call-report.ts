import * as z from 'zod';
import type { Account } from '../../lib/accounts/accounts.ts';
import type { PlannedCall } from './call.ts';
import type { Engagement, SimulatedAgent } from './centre.ts';
import { legIdAt } from './posts.ts';
import { between, chance, pick, randomOf } from './random.ts';
import { simulatedRecordOf } from './report-fields.ts';
import { type SentFields, wallTime } from './sent-fields.ts';
import type { ReportedCall } from './simulated-call.ts';

export const ReportSettings = z.strictObject({
  /** What a bearer token does: it is refused with 401, it is ignored, or the paged form needs a valid one. */
  token: z.enum(['refused', 'ignored', 'needed-by-pages']),
  /** Whether the unpaged form answers `{"details": [...]}` or the bare list. */
  list: z.enum(['details', 'bare']),
  ids: z.enum(['numbers', 'text']),
  blanks: z.enum(['blank', 'plus']),
  /** What yesterday's report is from 03:00 to 03:05, while the day moves to another database. */
  move: z.enum(['unseen', 'empty', 'shorter']),
  /** How many records a page has at most, whatever it is asked for. */
  pageRows: z.int().min(1).max(500),
  /** Whether a page begins behind as many records as were asked for, or as were given, or every page is the first one. */
  pagesBy: z.enum(['asked', 'given', 'nothing']),
  /** The `totalCount` of a page: the records of all pages as a number or a text, those of the page alone, or none. */
  totalCount: z.enum(['number', 'text', 'of-page', 'absent']),
  /** How many hours later a tenth of the calls get their recording and disposition. */
  lateHours: z.number().min(0).max(48),
});
export type ReportSettings = z.infer<typeof ReportSettings>;

export const ReportRequest = ReportSettings.partial().extend({ account: z.string().min(1).optional() });

const defaultSettings: ReportSettings = {
  token: 'refused',
  list: 'details',
  ids: 'numbers',
  blanks: 'blank',
  move: 'unseen',
  lateHours: 0,
  pageRows: 500,
  pagesBy: 'asked',
  totalCount: 'number',
};

/** What was asked for of a paged report: which page, counted from 1, and how many records. */
export interface AskedPage {
  readonly pageNo: number;
  readonly pageSize: number;
}

export const pageOf = (
  records: readonly SentFields[],
  { pageNo, pageSize }: AskedPage,
  { pageRows, pagesBy, totalCount }: Pick<ReportSettings, 'pageRows' | 'pagesBy' | 'totalCount'>,
) => {
  const given = Math.min(pageSize, pageRows);
  const begin = (pageNo - 1) * { asked: pageSize, given, nothing: 0 }[pagesBy];
  const details = records.slice(begin, begin + given);
  const counts = { number: records.length, text: String(records.length), 'of-page': details.length, absent: undefined };
  return { status: 'success', message: 'success', totalCount: counts[totalCount], details };
};

export type Callbacks = 'all' | 'none' | 'poorer';

export type CallReport = ReturnType<typeof createCallReport>;
export type MadeCall = ReturnType<CallReport['calls']>[number];

const hour = 3_600_000;
const day = 24 * hour;
const keptDays = 15;

interface CallReportSources {
  readonly account: () => Account;
  readonly staff: () => readonly SimulatedAgent[];
  readonly now: () => number;
}

export const createCallReport = ({ account, staff, now }: CallReportSources) => {
  const localAt = (at: number): string => wallTime(at, account().timeZone);
  const dateAt = (at: number): string => localAt(at).slice(0, 10);
  const keptOf = (reported: ReportedCall, callbacks: Callbacks) => {
    const legs = legsOf(reported, staff()).map((leg) => ({ leg, startsAt: localAt(leg.startedAt) }));
    return { ...reported, callbacks, legs };
  };
  let settings = defaultSettings;
  let kept: ReturnType<typeof keptOf>[] = [];
  let cleanedAt = now();

  const recent = () => {
    const oldest = dateAt(now() - (keptDays - 1) * day);
    return kept.filter(({ legs }) => legs.some(({ startsAt }) => startsAt >= oldest));
  };

  return {
    settings: () => settings,
    change(changes: Partial<ReportSettings>) {
      settings = { ...settings, ...changes };
    },
    add(reported: ReportedCall, callbacks: Callbacks) {
      if (now() >= cleanedAt + hour) {
        cleanedAt = now();
        kept = recent();
      }
      kept.push(keptOf(reported, callbacks));
    },
    /** The records of legs that start between two local times (both included), oldest first. */
    records(from: string, to: string): readonly SentFields[] {
      const oldest = dateAt(now() - (keptDays - 1) * day);
      const found = kept
        .flatMap((one) => one.legs.map((leg) => ({ ...leg, one })))
        .filter(({ startsAt }) => startsAt >= from && startsAt <= to && startsAt >= oldest)
        .filter(({ leg }) => leg.endedAt <= now())
        .sort((one, other) => (one.startsAt < other.startsAt ? -1 : 1))
        .map(({ leg, one }) =>
          simulatedRecordOf(legAt(leg, reportTimesOf(one.call, settings), now()), account(), one.rewrite, settings),
        );

      const isMoving = /^03:0[0-4]/.test(localAt(now()).slice(11)) && from.startsWith(dateAt(now() - day));
      const lengths = { unseen: found.length, empty: 0, shorter: Math.floor(found.length / 2) };
      return isMoving ? found.slice(0, lengths[settings.move]) : found;
    },
    /** All calls that the report still has, as they were made, without personal data. Instants are in ISO 8601. */
    calls: () =>
      recent().map(({ call, legs, callbacks }) => ({
        callId: call.id,
        startedAt: new Date(call.startedAt).toISOString(),
        endedAt: new Date(call.endedAt).toISOString(),
        answered: call.scenario.answered,
        hasDisposition: call.words.disposition !== '',
        recorded: call.scenario.recorded,
        legs: legs.map(({ leg }) => leg.legId),
        callbacks,
        completeAt: new Date(Math.max(...Object.values(reportTimesOf(call, settings)))).toISOString(),
      })),
  };
};

/** One for each agent who took part; sometimes one of an agent who did not pick up comes before. */
const legsOf = ({ call, namedLegs }: ReportedCall, staff: readonly SimulatedAgent[]): readonly PlannedCall[] => {
  if (call.engagements.length > 1)
    return call.engagements.map((engagement, index) => agentLeg(call, engagement, index));
  if (namedLegs.length > 1) return namedLegs;
  const missed = missedLeg(call, staff);
  return missed === undefined ? [call] : [missed, call];
};

const undisposed = { disposition: '', comments: '' } as const;

/** The part of one agent. Only the last one disposes of the call, and the others were not transferred to. */
const agentLeg = (call: PlannedCall, engagement: Engagement, index: number): PlannedCall => {
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
  return { ...leg, holdSeconds: 0, transferredTo: '', words: { ...call.words, ...undisposed } };
};

const missedShare = 0.15;

/** The leg of an agent who let an answered inbound call ring. Callbacks do not contain it. */
const missedLeg = (call: PlannedCall, staff: readonly SimulatedAgent[]): PlannedCall | undefined => {
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
    transferredTo: '',
    engagements: [{ ...engagement, agent: pick(random, others), leavesAt: engagement.talksAt }],
    scenario: { name: call.scenario.name, probability: 0, types: [], agents: [1, 1], answered: false, recorded: false },
    words: { ...call.words, ...undisposed, agentStatus: 'not_answered', dialStatus: 'not_answered' },
  };
};

const lateShare = 0.1;

/** The report has a call when it ends; recordings and dispositions come minutes later. */
const reportTimesOf = (call: PlannedCall, { lateHours }: Pick<ReportSettings, 'lateHours'>) => {
  const random = randomOf(call.id, 2);
  const recording = between(random, 30, 120);
  const disposition = between(random, 30, 180);
  const late = chance(random, lateShare) ? lateHours * hour : 0;

  return {
    recordingAt: call.endedAt + recording * 1000 + late,
    dispositionAt: call.endedAt + (call.wrapUpSeconds + disposition) * 1000 + late,
  };
};

const legAt = (
  leg: PlannedCall,
  { recordingAt, dispositionAt }: ReturnType<typeof reportTimesOf>,
  at: number,
): PlannedCall => ({
  ...leg,
  ...(at < dispositionAt && { wrapUpSeconds: 0, words: { ...leg.words, ...undisposed } }),
  ...(at < recordingAt && { scenario: { ...leg.scenario, recorded: false } }),
});
