import { countCalls, countedCallOf, defaultCountSettings } from '../../lib/contract/call-counts.ts';
import type { Calendar } from './calendar.ts';
import { understaffed } from './centre.ts';
import type { DayPlan } from './day-plan.ts';
import { badHour } from './shifts.ts';

export interface DemoLink {
  readonly text: string;
  readonly hash: string;
}

/** Five things to look at, all of one day: the one before the start. */
export const linksTo = ({ date, calls, chain }: DayPlan): readonly DemoLink[] => {
  const missed = calls.filter(({ type, scenario }) => type === 'Inbound' && !scenario.answered);
  const returned = missed.find((one) => isReturned(one, calls));
  const [busiest = ''] = [
    ...Map.groupBy(
      calls.flatMap(({ engagements }) => engagements),
      ({ agent }) => agent.id,
    ),
  ]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([id]) => id);
  return [
    {
      // On one of 400 days no agent rings back on the same day.
      text: returned === undefined ? 'a missed call, and what became of it' : 'a missed call that an agent returned',
      hash: `#/call/${(returned ?? missed[0])?.id ?? chain[0]}`,
    },
    { text: `a bad hour, from ${badHour.from}, in which many gave up`, hash: `#/day?day=${date}&by=hour` },
    { text: `a skill with too few people, ${slowestSkill(calls)}`, hash: `#/day?day=${date}&by=skill` },
    { text: 'a call that went from one agent to the next', hash: `#/call/${chain[0]}` },
    { text: 'the day of the busiest agent', hash: `#/agent/${busiest}?day=${date}` },
  ];
};

/** Whether an agent reached the caller of a missed call, who had spoken with nobody before. */
const isReturned = ({ customer, startedAt }: DayPlan['calls'][number], calls: DayPlan['calls']): boolean => {
  const answered = calls.find((one) => one.customer === customer && one.startedAt > startedAt && one.scenario.answered);
  return answered?.type === 'Manual';
};

/** What the service level needs of an inbound call. In a demonstration a missed call ends when its caller hangs up. */
const countedOf = ({ scenario, startedAt, endedAt, ringSeconds }: DayPlan['calls'][number]) =>
  countedCallOf({
    type: 'inbound',
    status: scenario.answered ? 'answered' : 'not-answered',
    hangupBy: 'user',
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    timeToAnswerSeconds: scenario.answered ? ringSeconds : undefined,
  });

/** On most days the one that is always understaffed; on some, the meeting of the bad hour leaves another with fewer people. */
const slowestSkill = (calls: DayPlan['calls']): string => {
  const inbound = calls.filter(({ type }) => type === 'Inbound');
  const levelOf = (some: DayPlan['calls']): number => {
    const { inTime, serviceLevelCalls } = countCalls(some.map(countedOf), defaultCountSettings);
    return inTime / serviceLevelCalls;
  };
  const [slowest = understaffed] = [...Map.groupBy(inbound, ({ campaign }) => campaign.skill)]
    .toSorted(([, one], [, other]) => levelOf(one) - levelOf(other))
    .map(([skill]) => skill);
  return slowest;
};

export const demoLinks = (calendar: Pick<Calendar, 'dayOf'>, date: string): readonly DemoLink[] =>
  linksTo(calendar.dayOf(date));
