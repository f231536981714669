import { callFigureDeclarations } from '../../../../client/call-figures.ts';
import { daysLater } from '../clocks.ts';
import { isCallFigure } from '../figures.ts';
import type { Leaf } from '../leaves.ts';
import { around, figureNamed, listAround, ofList, type Part, usualSeconds } from '../opening.ts';
import type { Answered, Rule } from '../rules.ts';

/* Figures, wherever an answer of the console has them, and what stands beside them. */

/** An hour of several days is no list. Its numbers of calls add up to those of the whole, which has one. */
const addsUp = (leaf: Leaf, { answer }: Answered): unknown => {
  const { name, unit } = around(leaf, 0);
  if (unit !== 'calls' || !leaf.shape.endsWith('.value')) return leaf.value;
  const total = answer.groups.reduce(
    (sum: number, group: Part) => sum + (figureNamed(group.figures, name).value ?? 0),
    0,
  );
  const whole = figureNamed(answer.figures, name).value;
  return total === whole ? leaf.value : { total, whole };
};

/** What of a number is opened where it belongs to a list. */
const inList =
  (open: (leaf: Leaf, of: Answered, list: NonNullable<ReturnType<typeof listAround>>) => unknown) =>
  (leaf: Leaf, of: Answered) => {
    const list = listAround(leaf);
    return list === undefined ? addsUp(leaf, of) : open(leaf, of, list);
  };

/** The days, and the agents, of a figure of agents' time: of an agent's own row, of a day, or of all. */
const timeAround = (leaf: Leaf, { answer, query }: Answered) => {
  const group = leaf.around.map(Object).find(({ figures, key }) => figures !== undefined && key !== undefined);
  const day = answer.by === 'day' ? group?.key : answer.opens.day;
  const agent = query['id'] ?? (answer.by === 'agent' ? group?.key : undefined);
  return { from: day ?? answer.from, to: day ?? answer.to, agents: agent === undefined ? undefined : [agent] };
};

/** The time of agents in each state on some days, by what each agent's own page says. */
export const stateSeconds = async (
  { centre, lists }: Answered,
  {
    from,
    to,
    agents = centre.agents,
  }: { readonly from: string; readonly to: string; readonly agents?: readonly string[] | undefined },
): Promise<Readonly<Record<string, number>>> => {
  const seconds: Record<string, number> = {};
  for (const id of agents)
    for (let day = from; day <= to; day = daysLater(day, 1)) {
      const { secondsByState } = await lists.once(`agent ${id} ${day}`, () => centre.ask('agent', { id, day }));
      for (const [state, value] of Object.entries(secondsByState))
        seconds[state] = (seconds[state] ?? 0) + Number(value);
    }
  return seconds;
};

/** A figure of agents' time, of the time in each state. */
export const timeFigure = (name: string, seconds: Readonly<Record<string, number>>): number | undefined => {
  const sum = (...states: readonly string[]) => states.reduce((total, state) => total + (seconds[state] ?? 0), 0);
  const handling = sum('calling', 'in-call', 'acw');
  const values: Readonly<Record<string, number>> = {
    loggedInSeconds: sum(...Object.keys(seconds)),
    handlingSeconds: handling,
    availableSeconds: sum('ready'),
    occupancy: Math.round((handling / (handling + sum('ready'))) * 1_000) / 1_000,
  };
  return values[name];
};

const value = inList(async (leaf, of, list) => {
  const { name, opens } = around(leaf, 0);
  if (!isCallFigure(name)) return timeFigure(name, await stateSeconds(of, timeAround(leaf, of)));
  const opened = await of.figures.figureOf(name, ofList(list, of));
  const isUnlinked = opens === undefined && callFigureDeclarations[name].unit === 'calls' && opened !== 0;
  return isUnlinked ? `${opened}, which no link opens` : opened;
});

const note = inList(async (leaf, of, list) => {
  const { name } = around(leaf, 0);
  const [known, among] = isCallFigure(name) ? await of.figures.knownOf(name, ofList(list, of)) : [];
  return `known of ${known} of ${among} calls`;
});

const shownNumber = ({ unit, value }: Part): number => Math.round(unit === 'share' ? value * 100 : value);

export const figureRules: readonly Rule[] = [
  [/\.opens\.count$/, inList((leaf, of, list) => of.figures.counted(ofList(list, of), around(leaf, 0).filters))],
  [/\.filters\.(within|slower)$/, (_leaf, { answer }) => String(answer.within ?? usualSeconds)],
  [/\.figures\[\]\.value$/, value],
  [
    /\.figures\[\]\.share$/,
    inList(async (leaf, of, list) => around(leaf, 0).value / (await of.figures.decided(ofList(list, of)))),
  ],
  [
    /\.figures\[\]\.otherStatistic\.value$/,
    inList((leaf, of, list) =>
      of.figures.statisticOf(around(leaf, 1).name, ofList(list, of), around(leaf, 0).statistic),
    ),
  ],
  [/\.figures\[\]\.note$/, note],
  [
    /\.figures\[\]\.definition$/,
    'how it is computed, as it is declared: its seconds are the usual ones, and count nothing',
  ],
  [/\.figures\[\]\.beside\[\]\.count$/, (leaf) => around(leaf, 0).opens.count],
  [
    /\.figures\[\]\.beside\[\]$/,
    ({ value: text }, { answer }) =>
      String(text)
        .replace(/(?<=, within )\d+/, answer.within)
        .replace(/(?<=in under )\d+/, '10'),
  ],
  [
    /\.weeksBefore\.figures\[\]\.change\.by$/,
    (leaf, { answer }) => {
      const earlier = around(leaf, 1);
      return shownNumber(figureNamed(answer.figures, earlier.name)) - shownNumber(earlier);
    },
  ],
];
