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
  const missed = calls.find((one) => one.type === 'Inbound' && returnOf(one, calls) !== undefined);
  const [busiest = ''] = [
    ...Map.groupBy(
      calls.flatMap(({ engagements }) => engagements),
      ({ agent }) => agent.id,
    ),
  ]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([id]) => id);
  return [
    { text: 'a missed call that an agent returned', hash: `#/call/${missed?.id ?? chain[0]}` },
    { text: `a bad hour, from ${badHour.from}, in which many gave up`, hash: `#/day?day=${date}&by=hour` },
    { text: `a skill with too few people, ${understaffed}`, hash: `#/day?day=${date}&by=skill` },
    { text: 'a call that went from one agent to the next', hash: `#/call/${chain[0]}` },
    { text: 'the day of the busiest agent', hash: `#/agent/${busiest}?day=${date}` },
  ];
};

/** The call in which an agent reached somebody whose call was missed, if nobody spoke with them before. */
const returnOf = ({ scenario, customer, startedAt }: DayPlan['calls'][number], calls: DayPlan['calls']) => {
  const later = calls.filter((one) => one.customer === customer && one.startedAt > startedAt && one.scenario.answered);
  return !scenario.answered && later[0]?.type === 'Manual' ? later[0] : undefined;
};

export const demoLinks = (calendar: Pick<Calendar, 'dayOf'>, date: string): readonly DemoLink[] =>
  linksTo(calendar.dayOf(date));
