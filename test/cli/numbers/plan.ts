import { callFilters } from '../../../cli/calls/call-filters.ts';
import { groupings } from '../../../cli/day/day.ts';
import { missedStates } from '../../../lib/contract/rules.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import type { Centre } from './centre.ts';
import { instantAt } from './clocks.ts';

export type Query = Readonly<Record<string, string | undefined>>;

/** A question to the console. */
export type Question = readonly [address: string, query: Query];

/** Texts of the filters that take one: names that a shell and a link have to quote, and one that nobody has. */
const texts: Readonly<Record<string, readonly string[]>> = {
  agent: ['asha', 'li & co'],
  skill: ["It's $(id)", 'A "B" & C'],
  campaign: ['-x; y'],
  customer: ['+447700900001'],
};

/** Each value of each filter, as they are declared: one that is added is asked with, too. */
const filterValues = keysOf(callFilters).flatMap((name): readonly Query[] => {
  const { words, isSeconds } = callFilters[name] as { readonly words?: readonly string[]; readonly isSeconds?: true };
  const values = words ?? (isSeconds === true ? ['0', '13', '20'] : (texts[name] ?? []));
  if (values.length === 0) throw new Error(`The filter ${name} has no text to ask with`);
  return values.map((value) => ({ [name]: value }));
});

/** Filters together: an agent with what is counted of it, and a state of calls among others. */
const together: readonly Query[] = [
  ...filterValues.filter(({ counted }) => counted !== undefined).map((one) => ({ ...one, agent: 'ravi' })),
  ...keysOf(missedStates).map((state) => ({ state, skill: "It's $(id)" })),
  { agent: 'ravi', within: '13' },
  { agent: 'asha', slower: '13' },
  { agent: 'ravi', known: 'talk', campaign: '-x; y' },
  { counted: 'missed', state: 'open', type: 'inbound' },
];

/** Ranges of lists: of a day with its words, of a part of it to the second, over days, over the change of clocks, up to a moment. */
const rangesIn = ({ days: { today, weekBefore, changeDay = weekBefore }, now, timeZone }: Centre): readonly Query[] => {
  const morning = instantAt(today, '10:15', timeZone);
  return [
    { day: 'today' },
    { day: 'yesterday' },
    { day: weekBefore },
    { day: changeDay },
    { from: instantAt(weekBefore, '10:15', timeZone), to: morning },
    { from: morning, to: now() },
    { day: 'today', at: morning },
    { day: weekBefore, at: instantAt(weekBefore, '11:30', timeZone) },
  ];
};

const isOfCustomer = ({ customer }: Query): boolean => customer !== undefined;

const listQuestions = (query: Query): readonly Question[] =>
  isOfCustomer(query)
    ? [['calls', query]]
    : [
        ['calls', query],
        ['quarters', query],
        ['waiting', query],
      ];

/** Days and periods: one that is not over, one on which clocks change, and both within a period. */
const daysIn = ({ days: { today, weekBefore, changeDay = weekBefore } }: Centre): readonly Query[] => [
  { day: 'today', within: '13' },
  { day: changeDay },
  { from: weekBefore, to: today },
  { day: weekBefore },
  { from: changeDay, to: 'yesterday', within: '0' },
];

const agentQuestions = ({ agents, days }: Centre): readonly Question[] =>
  agents.flatMap((id) =>
    // A call begins with the first instant of today, which is no call of yesterday.
    ['today', 'yesterday', days.weekBefore].flatMap((day): readonly Question[] => [
      ['agent', { id, day }],
      ['agent-figures', { id, day }],
    ]),
  );

/** What needs nothing but an account, and what is asked of some call of today. */
const others = ({ minutesAgo }: Centre, ids: readonly string[]): readonly Question[] => [
  ...['about', 'feed', 'floor', 'history', 'health', 'operations'].map((address): Question => [address, {}]),
  ['floor', { at: minutesAgo(90) }],
  ['agent-now', { id: 'asha' }],
  ...ids.flatMap((id): readonly Question[] => [
    ['call', { id }],
    ['call-wait', { id }],
  ]),
  ['customer', { number: '+447700900001' }],
  ['customer', { number: '0001' }],
];

/** Of two things that are asked together, each of the others once, with one of the first: which one depends on the turn. */
const combined = <One, Other, Made>(
  ones: readonly One[],
  others: readonly Other[],
  turn: number,
  make: (one: One, other: Other) => readonly Made[],
): readonly Made[] =>
  others.flatMap((other, place) =>
    ones.flatMap((one, index) => ((index + place) % ones.length === turn ? make(one, other) : [])),
  );

/** One value of each filter. */
const oneOfEach = (values: readonly Query[]): readonly Query[] => [
  ...new Map(values.map((one) => [Object.keys(one).join(), one])).values(),
];

const someOf = <Item>(items: readonly Item[]): readonly Item[] => items.filter((_, index) => index % 5 === 0);

/** The calls of today: first some whose wait ended, with the calls that ended it. */
export const idsIn = async (centre: Centre): Promise<readonly string[]> => {
  const { callers } = await centre.ask('waiting', { day: 'today' });
  const { calls } = await centre.ask('calls', { day: 'today' });
  const ended = calls.filter(
    ({ missed }: { readonly missed?: { readonly afterSeconds?: number } }) => missed?.afterSeconds !== undefined,
  );
  const waits = await Promise.all(
    ended.slice(0, 2).map(({ callId }: IdentifiedCall) => centre.ask('call-wait', { id: callId })),
  );
  const first: readonly string[] = [
    ...ended.slice(0, 2).map(({ callId }: IdentifiedCall) => callId),
    ...waits.map(({ wait }) => wait.missed.endedBy.callId),
    ...callers.flatMap(({ callIds }: { readonly callIds: readonly string[] }) => callIds[0] ?? []),
  ];
  return [...new Set([...first, ...calls.map(({ callId }: IdentifiedCall) => callId)])];
};

/** How much is walked: every number of every value, or some of each kind; and which turn it is. */
export interface Walk {
  readonly isWhole: boolean;
  readonly turn: number;
}

interface IdentifiedCall {
  readonly callId: string;
}

/** All that the console can be asked: each value of each filter, or one of each, with ranges, days and groups that take turns. */
export const questionsTo = async (centre: Centre, { isWhole, turn }: Walk): Promise<readonly Question[]> => {
  const ids = await idsIn(centre);
  const figures = combined(daysIn(centre), groupings, turn, (one, by): readonly Question[] => [
    ['day', { ...one, by }],
  ]);
  const filters = [
    {},
    ...(isWhole ? filterValues : oneOfEach(filterValues)),
    ...(isWhole ? together : someOf(together)),
  ];
  return [
    ...others(centre, isWhole ? ids : ids.slice(0, 6)),
    ...agentQuestions(centre),
    ...figures,
    ...figures.map(([, query]): Question => ['day-csv', query]),
    ...combined(rangesIn(centre), filters, turn, (range, some) => listQuestions({ ...range, ...some })),
  ];
};

/** What an answer is that has no number of its own, and who holds it. */
export const withoutNumbers: Readonly<Record<string, string>> = {
  'calls-csv': 'a file: the rows of the list, which test/cli/console/server.test.ts holds against the command',
  'as-sent': 'what was sent, to the letter',
  recording: 'a sound',
  quarantined: 'the body of a post',
};
