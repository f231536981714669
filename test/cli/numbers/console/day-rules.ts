import { cellsOf } from '../../support/csv.ts';
import { before, dateOn, daysLater, midnightOf, wallClock } from '../clocks.ts';
import type { Leaf } from '../leaves.ts';
import { around, barIn, daysAsked, figureNamed, lastOf, listAtBar, notLater, type Part, startOf } from '../opening.ts';
import type { Answered, Rule } from '../rules.ts';

/* A day or a period of the console: its limits, the weeks before it, its bars and its table. */

const lastName = ({ shape }: Leaf): string => shape.split('.').at(-1) ?? '';

/** The same weekdays as many whole weeks before as the period touches. */
const weeksEarlier = ({ answer: { from, to } }: Answered) => {
  let days = 1;
  for (let date: string = from; date < to; date = daysLater(date, 1)) days += 1;
  const weeks = Math.ceil(days / 7);
  return { weeks, from: daysLater(from, -7 * weeks), to: daysLater(to, -7 * weeks) };
};

const timeOn = (ms: number, zone: string): string => wallClock(ms, zone).slice(11);

/** Where the last day is not over, the instant at which clocks show the same time weeks before: the first one, if they do twice. */
const sameLocalTime = (of: Answered): string | undefined => {
  const { answer, centre } = of;
  const readMs = Date.parse(answer.readAt);
  if (dateOn(readMs, centre.timeZone) !== answer.to) return undefined;
  const earlier = weeksEarlier(of).to;
  const begin = Date.parse(startOf(earlier, of));
  for (let ms = begin + (readMs % 60_000); dateOn(ms, centre.timeZone) === earlier; ms += 60_000)
    if (timeOn(ms, centre.timeZone) === timeOn(readMs, centre.timeZone)) return new Date(ms).toISOString();
  return undefined;
};

/** On how many days of the weeks before a call is stored. */
const storedDays = async (_leaf: Leaf, { answer, lists, centre }: Answered) => {
  const { from, to } = answer.weeksBefore;
  const last = before(midnightOf(daysLater(to, 1), centre.timeZone));
  const rows = await lists.opened({ from: midnightOf(from, centre.timeZone), to: last });
  return new Set(rows.map(({ listedAt }) => dateOn(String(listedAt), centre.timeZone))).size;
};

/** On how many of its days agents were seen, by each day alone. */
const daysOfAgents = async (_leaf: Leaf, { answer: { from, to }, centre, lists }: Answered) => {
  const isSeen: boolean[] = [];
  for (let day: string = from; day <= to; day = daysLater(day, 1)) {
    const { figures } = await lists.once(`day ${day}`, () => centre.ask('day', { day }));
    isSeen.push(figureNamed(figures, 'loggedInSeconds').value !== undefined);
  }
  const seen = isSeen.filter((is) => is).length;
  return `Agents’ time is of ${seen} of ${isSeen.length} days: of the others no interval is stored.`;
};

const levelAt = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const { atMs } = around(leaf, 0);
  if (leaf.shape.endsWith('.atMs')) return of.answer.bars.find(([begin]: readonly number[]) => begin === atMs)?.[0];
  const { name, filters } = around(leaf, 2);
  const list = listAtBar(atMs, of);
  return await (leaf.shape.endsWith('.share') ? of.figures.figureOf(name, list) : of.figures.counted(list, filters));
};

const isByTime = ({ answer }: Answered): boolean => ['hour', 'quarter'].includes(answer.by);

/** The hours or quarters of a table follow each other without a gap, from a full one on; other groups have the whole range. */
const rangeOfGroup = (leaf: Leaf, of: Answered): unknown => {
  const { answer, centre } = of;
  const isFrom = leaf.shape.endsWith('.from');
  if (!isByTime(of)) return isFrom ? answer.start : before(answer.end);
  const { index } = around(leaf, 2);
  const { from, to } = answer.groups[index].opens;
  const next = answer.groups[index + 1]?.opens.from;
  if (!isFrom) return next === undefined ? to : before(next);
  const [, minutes, seconds] = timeOn(Date.parse(from), centre.timeZone).split(':').map(Number);
  return seconds === 0 && Number(minutes) % (answer.by === 'hour' ? 60 : 15) === 0 ? from : 'no begin of a group';
};

/** How a group begins: with its date, or with the local time of its first instant. */
const labelOfGroup = (leaf: Leaf, of: Answered): unknown => {
  const { opens, label } = around(leaf, 0);
  if (opens === undefined || (!isByTime(of) && of.answer.by !== 'day')) return label;
  const begin = opens.day ?? timeOn(Date.parse(opens.from), of.centre.timeZone).slice(0, 5);
  return label.startsWith(begin) ? label : begin;
};

/** The table for the clipboard has the figures of the table that is shown. */
const csvOfDay = async (leaf: Leaf, { answer, centre, query }: Answered): Promise<unknown> => {
  const { groups } = await centre.ask('day', query);
  const [head = '', ...lines]: readonly string[] = answer.csv.trim().split(/\r?\n/);
  const names = cellsOf(head);
  const different = lines.flatMap((line, index) =>
    cellsOf(line).flatMap((cell, place) => {
      const figure = groups[index].figures.find(({ name }: Part) => name === names[place]);
      return figure === undefined || cell === String(figure.value ?? '') ? [] : [`${names[place]}: ${figure.value}`];
    }),
  );
  return lines.length === groups.length && different.length === 0 ? leaf.value : { rows: groups.length, different };
};

export const dayRules: readonly Rule[] = [
  [/^day\.(from|to)$/, (leaf, of) => Reflect.get(daysAsked(of), lastName(leaf))],
  [/^day\.(readAt|agentsUpTo)$/, notLater],
  [/^(day|quarters)\.start$/, (_leaf, of) => startOf(daysAsked(of).from, of)],
  [/^(day|quarters)\.end$/, (_leaf, of) => startOf(daysLater(daysAsked(of).to, 1), of)],
  [/^day\.opens\.day$/, (_leaf, { answer }) => (answer.from === answer.to ? answer.from : undefined)],
  [/^day\.opens\.from$/, (_leaf, { answer }) => answer.start],
  [/^day\.opens\.to$/, (_leaf, { answer }) => before(answer.end)],
  [/^day\.weeksBefore\.(from|to|weeks)$/, (leaf, of) => Reflect.get(weeksEarlier(of), lastName(leaf))],
  [/^day\.weeksBefore\.upTo$/, (_leaf, of) => sameLocalTime(of)],
  [
    /^day\.weeksBefore\.opens\.day$/,
    (_leaf, of) => (sameLocalTime(of) === undefined ? weeksEarlier(of).from : undefined),
  ],
  [/^day\.weeksBefore\.opens\.from$/, (_leaf, of) => startOf(weeksEarlier(of).from, of)],
  [
    /^day\.weeksBefore\.opens\.to$/,
    (_leaf, of) => {
      const upTo = sameLocalTime(of);
      return upTo === undefined ? lastOf(weeksEarlier(of).to, of) : before(upTo);
    },
  ],
  [/^day\.weeksBefore\.storedDays$/, storedDays],
  [/^day\.agentDays$/, daysOfAgents],
  [/^day\.within$/, (_leaf, { query }) => Number(query['within'] ?? 20)],
  [/^day\.bars\[\]\[\]$/, barIn('bars')],
  [/^day\.levels\[\]\.values\[\]\.(atMs|share|calls)$/, levelAt],
  [
    /^day\.groups\[\]\.key$/,
    (leaf, { answer }) =>
      answer.by === 'day' ? around(leaf, 0).opens.day : (around(leaf, 0).opens?.from ?? leaf.value),
  ],
  [/^day\.groups\[\]\.label$/, labelOfGroup],
  [/^day\.groups\[\]\.opens\.day$/, (leaf, { answer }) => (answer.by === 'day' ? around(leaf, 1).key : answer.from)],
  [/^day\.groups\[\]\.opens\.(from|to)$/, rangeOfGroup],
  [/^day-csv\.csv$/, csvOfDay],
];
