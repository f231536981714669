import { keysOf } from '../lib/core/collections.ts';
import { agentColumns, agentFigureDefinitions, type TimeFigure } from './agent-figures.ts';
import {
  type BesidePart,
  type CallFigureName,
  type CallFigures,
  type CallsOfFigure,
  callColumns,
  callFigureDeclarations,
  callFigureDefinitions,
  type Figure,
  type FigureDefinition,
  type FigureDisplay,
  type FigureSettings,
  sumFigure,
} from './call-figures.ts';
import type { DayGroup } from './day-figures.ts';

export type Figures = Pick<DayGroup, 'calls' | 'agents'>;

type Declaration = FigureDefinition & FigureDisplay & Partial<CallsOfFigure>;

/** A figure with all that is shown of it, on the command line and in the console. */
export interface NamedFigure {
  readonly name: string;
  readonly about: Declaration;
  readonly figure: Figure | TimeFigure;
  /** Of answered and of missed calls: their share of the offered calls whose status is known. */
  readonly share: number | undefined;
  /** Beside a median the average of the same duration, and beside an average the median. */
  readonly pair: { readonly statistic: 'median' | 'average'; readonly value: number } | undefined;
}

export const figuresOf = ({ calls, agents }: Figures): readonly NamedFigure[] => [
  ...keysOf(callFigureDefinitions).map((name) => named(name, callFigureDeclarations[name], calls[name], calls)),
  ...(agents === undefined
    ? []
    : keysOf(agentFigureDefinitions).map((name) => named(name, agentFigureDefinitions[name], agents[name]))),
];

const named = (name: string, about: Declaration, figure: Figure | TimeFigure, calls?: CallFigures): NamedFigure => ({
  name,
  about,
  figure,
  share: about.hasShare === true && 'calls' in figure && figure.calls > 0 ? figure.value / figure.calls : undefined,
  pair: calls && pairOf(about, calls),
});

const otherStatistic = { median: 'average', average: 'median' } as const;

const pairOf = ({ known, statistic }: Declaration, calls: CallFigures): NamedFigure['pair'] => {
  if (statistic !== 'median' && statistic !== 'average') return undefined;
  const other = otherStatistic[statistic];
  const isOther = (name: CallFigureName) => {
    const about = callFigureDeclarations[name];
    return about.known === known && about.statistic === other;
  };
  const name = keysOf(callFigureDefinitions).find(isOther);
  const value = name && calls[name].value;
  return value === undefined ? undefined : { statistic: other, value };
};

export const answeredByOthers = ({ calls }: Figures): NamedFigure =>
  named('answeredByOthers', callFigureDeclarations.answeredByOthers, sumFigure('answeredByOthers', calls));

export const largestFigures = keysOf(callFigureDefinitions).filter(
  (name) => callFigureDeclarations[name].isLarge === true,
);

/** The figures for which somebody may set a target. */
export const targetFigures = keysOf(callFigureDefinitions).filter(
  (name) => callFigureDeclarations[name].target !== undefined,
);

export const besideOf = (
  { about }: NamedFigure,
  { calls }: Figures,
  settings: Required<FigureSettings>,
): readonly BesidePart[] => about.beside?.(calls, settings) ?? [];

/** The columns of the console’s table of groups: those of which a group has the figure, and undecided calls if there are any. */
export const columnsOf = (groups: readonly (readonly NamedFigure[])[]) =>
  [...callColumns, ...agentColumns].flatMap((name) => {
    const figures = groups.flatMap((group) => group.find((figure) => figure.name === name) ?? []);
    const [first] = figures;
    if (first === undefined) return [];
    const { title, statistic, isLeftOutAtZero } = first.about;
    if (isLeftOutAtZero === true && figures.every(({ figure }) => figure.value === 0)) return [];
    const shares = figures.some(({ share }) => share !== undefined) ? ' (%)' : '';
    return [{ name, title: `${title}${statistic === 'median' ? ' / average' : shares}` }];
  });

/** Why a figure is not known, or of how many calls it is. */
export const noteOf = (figure: Figure | TimeFigure): string =>
  figure.reason ?? ('of' in figure && figure.calls < figure.of ? `known of ${figure.calls} of ${figure.of} calls` : '');

export const unknownReasons = (all: readonly Figures[]): readonly string[] => [
  ...new Set(all.flatMap(figuresOf).flatMap(({ figure }) => figure.reason ?? [])),
];
