import type { HealthLine, HealthText } from '../../frame/feature.ts';
import type { Answers } from '../api.ts';
import { capitalised, counted, dayText, durationText, timeText } from './words.ts';

type FeedAnswer = Answers['feed'];

/** Beyond so many seconds the agents are stale. */
const staleSeconds = 30;

export const ageOf = (asOf: string, now: number): number => Math.max(0, (now - Date.parse(asOf)) / 1000);

/** Whether the agents are stale by now: what was live when it was read grows old while nothing newer is read. */
export const isStale = ({ freshness, asOf }: Pick<FeedAnswer, 'freshness' | 'asOf'>, now: number): boolean =>
  freshness === 'stale' || (asOf !== undefined && ageOf(asOf, now) > staleSeconds);

export const troubleText = (
  { text, since }: NonNullable<FeedAnswer['problem']>,
  timeZone: string,
  now: number,
): string => {
  if (since === undefined) return `${capitalised(text)}.`;
  const day = dayText(since, timeZone);
  const isToday = day === dayText(now, timeZone);
  return `Since ${isToday ? '' : `${day} `}${timeText(since, timeZone)} ${text}.`;
};

/** When the page looks, and whether it could read nothing newer than the answer. */
interface Look {
  readonly timeZone: string;
  readonly now: number;
  readonly isUnread: boolean;
}

/** What Health says of the polls, by the same rule as the bar says how old the agents are. */
export const pollsText = (answer: Answers['health'], { timeZone, now, isUnread }: Look): HealthText => {
  const { feed, problem, earlier, asOf } = answer;
  const unreadable = feed?.unreadableRecords ?? 0;
  const lines: readonly HealthLine[] = [
    ...(problem === undefined ? [] : [troubleText(problem, timeZone, now)]),
    asOf === undefined
      ? `No poll has succeeded yet${feed === undefined ? ', and none was tried' : ''}.`
      : `${successText(answer, now, isUnread)}; the latest picture is ${durationText(ageOf(asOf, now))} old, with ${counted(feed?.agentCount ?? 0, 'agent')}.`,
    ...(earlier?.since === undefined
      ? []
      : [[`An earlier problem is over: ${earlier.text}, last met at`, earlier.since] as const]),
    ...(unreadable > 0 ? [`${counted(unreadable, 'record')} of the latest answer could not be read.`] : []),
  ];
  if (asOf === undefined) return { verdict: 'unknown', lines };
  const isBad = isUnread ? answer.freshness === 'stale' : isStale(answer, now);
  if (isBad) return { verdict: 'bad', lines, command: answer.next };
  return { verdict: isUnread ? 'unknown' : 'good', lines };
};

const successText = (answer: FeedAnswer, now: number, isUnread: boolean): string => {
  if (answer.freshness === 'stale') return 'Polls do not succeed';
  if (isUnread) return 'Polls succeeded when this was read last';
  return isStale(answer, now) ? 'No newer poll has succeeded' : 'Polls succeed';
};

/** A card that could not be read again: what was right when somebody looked is not known to be so any more. */
export const asReadLast = (text: HealthText): HealthText =>
  text.verdict === 'good' ? { ...text, verdict: 'unknown' } : text;
