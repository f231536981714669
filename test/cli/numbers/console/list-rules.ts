import { missedFilters } from '../../../../cli/console/page/call-links.ts';
import { median } from '../../../../client/call-figures.ts';
import { isMissed, type MissedState } from '../../../../lib/contract/rules.ts';
import { dateOn } from '../clocks.ts';
import type { Leaf } from '../leaves.ts';
import type { Row } from '../lists.ts';
import { around, barIn, countedAt, notLater, type Part, rangeAsked } from '../opening.ts';
import type { Answered, Rule } from '../rules.ts';

/* Lists of calls, what became of missed ones, the bars above them, and the calls of a customer. */

const lastName = ({ path }: Leaf): string => path.split('.').at(-1) ?? '';

/** The calls that are asked for, whatever became of them. */
const selected = ({ lists, query }: Answered) => lists.opened(query);

const missedIn = (row: Row): Part => Object(row['missed']);

/** As many calls as the list says itself, and as the link opens that has this state in place of a figure's filter. */
const ofState = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const state = lastName(leaf) as MissedState;
  const { query, lists } = of;
  const rows = (await selected(of)).filter((row) => missedIn(row).state === state).length;
  if ((query['state'] ?? query['counted'] ?? 'missed') !== 'missed') return rows;
  const linked = (await lists.opened({ ...query, ...missedFilters(state) })).length;
  return linked === rows ? rows : { rows, linked };
};

const openCalls = ({ lists, query }: Answered) => lists.opened({ ...query, state: 'open' });

const callOf = (rows: readonly Row[], callId: unknown): Row => Object(rows.find((row) => row['callId'] === callId));

/** When a call of somebody who waits began, as the list of open calls has it. */
const missedAt = async (leaf: Leaf, of: Answered, place: 0 | -1) =>
  callOf(await openCalls(of), around(leaf, 0).callIds.at(place))['listedAt'];

/** As many calls as the list of open ones has of the caller, and as the command that is shown says of the same caller. */
const attempts = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const open = await openCalls(of);
  const { callIds, attempts: shown } = around(leaf, 0);
  const listed = callIds.filter((id: string) => callOf(open, id)['callId'] === id).length;
  if (of.query['agent'] !== undefined) return listed;
  const command = of.lists.callersAt(of.query) ?? '';
  const callers = await of.lists.once(command, () => of.lists.pasted(command));
  const isSame = callers.length === of.answer.callers.length && callers[around(leaf, 1).index]?.['attempts'] === shown;
  return isSame ? listed : { command, callers: callers.length };
};

/** A field of a call in a list is that of the call itself. */
const factOfCall = async (leaf: Leaf, { lists, centre }: Answered): Promise<unknown> => {
  const names = leaf.path
    .replace(/^.*?calls\[\d+\]\./, '')
    .split(/[.[\]]+/)
    .filter((name) => name !== '');
  const { callId } = leaf.around.map(Object).find((part) => part.callId !== undefined) ?? {};
  const { call, customerText } = await lists.once(`whole ${callId}`, () => centre.ask('call', { id: callId }));
  const { facts, revision } = call;
  const whole = { ...facts, callId, revision, customerText, listedAt: facts.startedAt };
  return names.reduce<unknown>((value, name) => Object(value)[name], whole);
};

const everyCall = ({ lists, centre }: Answered) => lists.opened({ from: '2026-01-01T00:00:00Z', to: centre.now() });

/** The numbers that end so, but for those of which the calls are shown. */
const numbersLeft = async (_leaf: Leaf, of: Answered): Promise<number> => {
  const digitsOf = (text: unknown) => String(text ?? '').replace(/\D/g, '');
  const typed = of.query['number'] ?? '';
  if (typed !== digitsOf(typed)) return 0;
  const numbers = (await everyCall(of)).map(({ customerNumber }) => customerNumber);
  const ending = new Set(numbers.filter((number) => digitsOf(number).endsWith(typed)));
  return [...ending].filter((number) => !of.answer.numbers.includes(number)).length;
};

export const listRules: readonly Rule[] = [
  [/^calls\.days\./, (leaf, { answer, centre }) => dateOn(answer[lastName(leaf)], centre.timeZone)],
  [/^calls\.(from|to)$/, (leaf, of) => Reflect.get(rangeAsked(of), lastName(leaf))],
  [/^calls\.asOf$/, (_leaf, { query }) => query['at']],
  [/^(calls\.missedReading|waiting)\.asOf$/, (leaf, of) => of.query['at'] ?? notLater(leaf, of)],
  [/^calls\.reachesTo$/, notLater],
  [
    /^calls\.calls\[\]\.missed\.afterSeconds$/,
    async (leaf, { centre, lists }) => {
      const { callId } = around(leaf, 1);
      const { wait } = await lists.once(`wait ${callId}`, () => centre.ask('call-wait', { id: callId }));
      return wait.missed.endedBy.afterSeconds;
    },
  ],
  [/^(calls|customer)\.calls\[\]\./, factOfCall],

  [/^quarters\.readAt$/, notLater],
  [/^quarters\.quarters\[\]\[\]$/, barIn('quarters')],
  [/^quarters\.count$/, async (_leaf, of) => (await countedAt(of)(await selected(of))).length],

  [/^waiting\.counts\./, ofState],
  [/^waiting\.missed$/, async (_leaf, of) => (await selected(of)).filter((row) => isMissed(row)).length],
  [
    /^waiting\.returnedAfterSeconds$/,
    async (_leaf, of) => {
      const returned = (await selected(of)).map(missedIn).filter(({ state }) => state === 'returned');
      return median(returned.map(({ afterSeconds }) => afterSeconds));
    },
  ],
  [/^waiting\.callers\[\]\.attempts$/, attempts],
  [/^waiting\.callers\[\]\.firstMissedAt$/, (leaf, of) => missedAt(leaf, of, 0)],
  [/^waiting\.callers\[\]\.lastMissedAt$/, (leaf, of) => missedAt(leaf, of, -1)],
  [
    /^waiting\.callers\[\]\.waitingSeconds$/,
    (leaf, { answer }) => Math.floor((Date.parse(answer.asOf) - Date.parse(around(leaf, 0).firstMissedAt)) / 1_000),
  ],
  [/^waiting\.callers\[\]\./, 'who called, and in which calls: their number stands beside them'],

  [/^customer\.(text|numbers\[\])$/, 'the number that was asked for, and those that were found'],
  [/^customer\.searched$/, async (_leaf, of) => (await everyCall(of)).length],
  [/^customer\.numbersNotRead$/, numbersLeft],
];
