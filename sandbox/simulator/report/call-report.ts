import type { Call } from '../floor/call.ts';
import type { Agent } from '../floor/floor.ts';
import { defaultReport, type ReportSettings, type SimulatedAccount } from '../settings.ts';
import type { ReportedCall } from '../simulated-call.ts';
import { type Fields, localTime, type Rewrite } from '../summary.ts';
import { legAt, legsOf, recordOf, reportTimesOf } from './call-record.ts';

/** Which of a call's callbacks are sent: all, none, or a single poorer one. */
export type Callbacks = 'all' | 'none' | 'poorer';

/** A call as the simulator made it. Instants in ISO 8601. */
export interface MadeCall {
  readonly callId: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly answered: boolean;
  /** Whether an agent writes a disposition. */
  readonly hasDisposition: boolean;
  /** Whether there is a recording. */
  readonly recorded: boolean;
  /** The UCIDs of the report's records. */
  readonly legs: readonly string[];
  readonly callbacks: Callbacks;
  /** From when on the report has the recording and the disposition. */
  readonly completeAt: string;
}

/** The calls of an account, and its report of them. */
export type CallReport = ReturnType<typeof createCallReport>;

interface Kept {
  readonly call: Call;
  readonly legs: readonly { readonly leg: Call; readonly startsAt: string }[];
  readonly rewrite: Rewrite;
  readonly callbacks: Callbacks;
}

const hour = 3_600_000;
const day = 24 * hour;
/** Today and the days before it that the report has. */
const keptDays = 15;

/** Whose report it is, the agents at whom calls can ring, and the time. */
interface CallReportSources {
  readonly account: () => SimulatedAccount;
  readonly staff: () => readonly Agent[];
  readonly now: () => number;
}

/** The calls of an account, and its report of them; none at first. */
export const createCallReport = ({ account, staff, now }: CallReportSources) => {
  const localAt = (at: number): string => localTime(at, account().timeZone);
  const dateAt = (at: number): string => localAt(at).slice(0, 10);
  const firstDate = (): string => dateAt(now() - (keptDays - 1) * day);
  let settings = defaultReport;
  let kept: Kept[] = [];
  let cleanedAt = now();

  const recent = (): Kept[] => {
    const oldest = firstDate();
    return kept.filter(({ legs }) => legs.some(({ startsAt }) => startsAt >= oldest));
  };
  const forgetOld = (): void => {
    if (now() < cleanedAt + hour) return;
    cleanedAt = now();
    kept = recent();
  };
  const recordsOf = ({ call, rewrite }: Kept, leg: Call): Fields =>
    recordOf(legAt(leg, reportTimesOf(call, settings), now()), account(), rewrite, settings);

  return {
    settings: () => settings,
    change(changes: Partial<ReportSettings>) {
      settings = { ...settings, ...changes };
    },
    /** Adds a call. It is in the report from its end until its day is too old. */
    add(reported: ReportedCall, callbacks: Callbacks) {
      forgetOld();
      const legs = legsOf(reported, staff()).map((leg) => ({ leg, startsAt: localAt(leg.startedAt) }));
      kept.push({ call: reported.call, rewrite: reported.rewrite, legs, callbacks });
    },
    /** The records of legs that start between two local times (both included), oldest first. */
    records(from: string, to: string): readonly Fields[] {
      const oldest = firstDate();
      const found = kept
        .flatMap((one) => one.legs.map((leg) => ({ ...leg, one })))
        .filter(({ startsAt }) => startsAt >= from && startsAt <= to && startsAt >= oldest)
        .filter(({ leg }) => leg.endedAt <= now())
        .sort((one, other) => (one.startsAt < other.startsAt ? -1 : 1))
        .map(({ leg, one }) => recordsOf(one, leg));

      const isMoving = /^03:0[0-4]/.test(localAt(now()).slice(11)) && from.startsWith(dateAt(now() - day));
      return isMoving ? shortened(found, settings.move) : found;
    },
    /** All calls that the report still has, without personal data. */
    calls: (): readonly MadeCall[] =>
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

/** What a day's report has while the day moves to another database. */
const shortened = (records: readonly Fields[], move: ReportSettings['move']): readonly Fields[] => {
  if (move === 'unseen') return records;
  return move === 'empty' ? [] : records.slice(0, Math.floor(records.length / 2));
};
