import { filtersIn } from '../../../cli/calls/set-filters.ts';
import { outcomeQuery, quarterQuery } from '../../../cli/console/page/call-links.ts';
import type { PageQuery } from '../../../cli/console/page/hash.ts';
import { before, dateOn, daysLater, midnightOf, wallClock } from './clocks.ts';
import type { OfList } from './figures.ts';
import type { Leaf } from './leaves.ts';
import type { Row } from './lists.ts';
import type { Answered } from './rules.ts';

export type Part = ReturnType<typeof Object>;

/** An object around a number: 0 is the one that has it. A list counts as one too, with the place in it. */
export const around = (leaf: Leaf, place: number): Part => Object(leaf.around[place]);

/** The list of the part of the answer whose figure it is: of a group, of the weeks before, or of the whole. An hour of days has none. */
export const listAround = (leaf: Leaf): PageQuery | undefined =>
  leaf.around.map(Object).find(({ figures }) => figures !== undefined)?.opens;

/** The calls that had come when the answer was read: the list of a day that is not over goes on. */
export const countedAt =
  ({ answer, lists }: Answered) =>
  async (rows: readonly Row[]): Promise<readonly Row[]> => {
    const { readAt, now } = answer;
    if (readAt === undefined || readAt === now) return rows;
    const details = await lists.rowsOf(rows);
    return rows.filter((_, index) => (details[index]?.firstReceivedAt ?? '') <= readAt);
  };

export const usualSeconds = 20;

export const ofList = (list: PageQuery, of: Answered): OfList => ({
  list,
  within: of.answer.within ?? usualSeconds,
  count: countedAt(of),
});

const dateNamed = (text: string, { centre }: Answered): string => {
  const present = dateOn(centre.now(), centre.timeZone);
  if (text === 'today') return present;
  if (text === 'yesterday') return daysLater(present, -1);
  return text.length === 'yyyy-mm-dd'.length ? text : dateOn(text, centre.timeZone);
};

/** The date that is asked for, by the account's clock. */
export const dateAsked = (of: Answered): string => dateNamed(of.query['day'] ?? 'today', of);

export const startOf = (date: string, { centre }: Answered) => midnightOf(date, centre.timeZone);
export const lastOf = (date: string, of: Answered) => before(startOf(daysLater(date, 1), of));

/** The first and the last instant of a list that is asked for, up to its moment. */
export const rangeAsked = (of: Answered): { readonly from: string; readonly to: string } => {
  const { query, centre } = of;
  const from = query['from'] === undefined ? startOf(dateAsked(of), of) : new Date(query['from']).toISOString();
  const last =
    query['to'] === undefined ? lastOf(dateOn(from, centre.timeZone), of) : new Date(query['to']).toISOString();
  const moment = query['at'] === undefined ? last : new Date(query['at']).toISOString();
  const to = moment < last ? moment : last;
  return { from, to: to < from ? from : to };
};

/** What is asked for on the same days: figures take days, and lists instants. */
export const daysAsked = (of: Answered): { readonly from: string; readonly to: string } => {
  const { from, to = of.name === 'day' ? 'today' : from } = of.query;
  if (from === undefined) return { from: dateAsked(of), to: dateAsked(of) };
  return { from: dateNamed(from, of), to: dateNamed(to ?? from, of) };
};

/** The calls of a bar: of a quarter of an hour, or of a day. */
const listOfBar = (ms: number, isDay: boolean, { centre }: Answered): PageQuery =>
  isDay ? { day: dateOn(ms, centre.timeZone) } : quarterQuery(ms);

/** Whether a bar begins with a quarter of an hour, or a day, of the account's clock. */
const isBegin = (ms: number, isDay: boolean, { centre }: Answered): boolean => {
  const [hours, minutes, seconds] = wallClock(ms, centre.timeZone).slice(11).split(':').map(Number);
  return seconds === 0 && (isDay ? hours === 0 && minutes === 0 : Number(minutes) % 15 === 0);
};

const words = ['', 'answered', 'missed', 'other'];

interface Bar {
  readonly ms: number;
  readonly counts: readonly number[];
  /** Which of its numbers is meant: 0 is when it begins. */
  readonly place: number;
  readonly isDay: boolean;
}

/** The calls of an outcome that a bar opens. With a figure's filter set it is no link: its parts together are the calls of the list. */
const callsOfBar = async ({ ms, counts, place, isDay }: Bar, of: Answered, isOfList: boolean): Promise<number> => {
  const word = words[place] ?? '';
  const countOf = (link: PageQuery) => of.figures.counted(ofList({ ...listOfBar(ms, isDay, of), ...link }, of), {});
  const link = isOfList ? outcomeQuery({ query: addressable(of.query) }, word) : { counted: word };
  if (link !== undefined) return await countOf(link);
  const others = counts.slice(1).reduce((sum, one) => sum + one, 0) - Number(counts[place]);
  const moment = of.query['state'] === undefined ? {} : { at: of.query['at'] };
  return (await countOf({ ...filtersIn(of.query), ...moment })) - others;
};

/** Bars of an answer: each begins with its time, after the one before it, and has the calls by outcome. */
export const barIn =
  (name: 'bars' | 'quarters') =>
  async (leaf: Leaf, of: Answered): Promise<unknown> => {
    const bars: readonly (readonly number[])[] = of.answer[name];
    const { index: place } = around(leaf, 0);
    const { index } = around(leaf, 1);
    const counts = bars[index] ?? [];
    const [ms = 0] = counts;
    const isDay = name === 'bars' && of.answer.from !== of.answer.to;
    if (place > 0) return await callsOfBar({ ms, counts, place, isDay }, of, name === 'quarters');
    const isAfter = ms > Number(bars[index - 1]?.[0] ?? 0);
    return isAfter && isBegin(ms, isDay, of) ? ms : 'no begin of a bar';
  };

/** What of a question an address has. */
const addressable = (query: Answered['query']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));

/** The list of a bar without filters. */
export const listAtBar = (ms: number, of: Answered): OfList =>
  ofList(listOfBar(ms, of.answer.from !== of.answer.to, of), of);

/** Nothing that is shown is of the future. */
export const notLater = (leaf: Leaf, { centre }: Answered) =>
  String(leaf.value) <= centre.now() ? leaf.value : centre.now();

export const figureNamed = (figures: readonly Part[], name: string): Part =>
  Object(figures.find((figure) => figure.name === name));
