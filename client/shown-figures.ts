import { keysOf } from '../lib/core/collections.ts';
import { agentColumns, agentFigureDefinitions, type TimeFigure } from './agent-figures.ts';
import {
  type BesidePart,
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
  readonly declaration: Declaration;
  readonly figure: Figure | TimeFigure;
  /** The share of the offered calls with a known status; only of answered and of missed calls. */
  readonly share: number | undefined;
  /** The average beside a median, the median beside an average. */
  readonly otherStatistic: { readonly statistic: 'median' | 'average'; readonly value: number } | undefined;
}

/** All figures of a day or of a group, in the order in which they are shown. */
export const figuresOf = ({ calls, agents }: Figures): readonly NamedFigure[] => {
  const ofCalls = keysOf(callFigureDefinitions).map((name) =>
    namedFigure(name, callFigureDeclarations[name], calls[name], calls),
  );
  if (agents === undefined) return ofCalls;
  const ofAgents = keysOf(agentFigureDefinitions).map((name) =>
    namedFigure(name, agentFigureDefinitions[name], agents[name]),
  );
  return [...ofCalls, ...ofAgents];
};

const namedFigure = (
  name: string,
  declaration: Declaration,
  figure: Figure | TimeFigure,
  calls?: CallFigures,
): NamedFigure => {
  const hasShare = declaration.hasShare === true && 'calls' in figure && figure.calls > 0;
  return {
    name,
    declaration,
    figure,
    share: hasShare ? figure.value / figure.calls : undefined,
    otherStatistic: calls && otherStatisticOf(declaration, calls),
  };
};

const otherStatistics = { median: 'average', average: 'median' } as const;

const otherStatisticOf = ({ duration, statistic }: Declaration, calls: CallFigures): NamedFigure['otherStatistic'] => {
  if (statistic !== 'median' && statistic !== 'average') return undefined;
  const other = otherStatistics[statistic];
  const name = keysOf(callFigureDefinitions).find((each) => {
    const declaration = callFigureDeclarations[each];
    return declaration.duration === duration && declaration.statistic === other;
  });
  const value = name && calls[name].value;
  return value === undefined ? undefined : { statistic: other, value };
};

/** Calls that others answered, of an agent: beside the figures of that agent only. */
export const answeredByOthers = ({ calls }: Figures): NamedFigure =>
  namedFigure('answeredByOthers', callFigureDeclarations.answeredByOthers, sumFigure('answeredByOthers', calls));

/** The figures that Day shows large. */
export const largestFigures = keysOf(callFigureDefinitions).filter(
  (name) => callFigureDeclarations[name].isLarge === true,
);

/** The figures for which somebody may set a target. */
export const targetFigures = keysOf(callFigureDefinitions).filter(
  (name) => callFigureDeclarations[name].target !== undefined,
);

/** What stands beside a figure, such as how many were abandoned. */
export const besideOf = (
  { declaration }: NamedFigure,
  { calls }: Figures,
  settings: Required<FigureSettings>,
): readonly BesidePart[] => declaration.beside?.(calls, settings) ?? [];

/**
 * The columns of the console’s table of groups: those of which some group has a figure, without those that are left out where all
 * are 0.
 */
export const columnsOf = (groups: readonly (readonly NamedFigure[])[]) =>
  [...callColumns, ...agentColumns]
    .map((name) => groups.flatMap((group) => group.find((figure) => figure.name === name) ?? []))
    .flatMap((figures) => columnOf(figures) ?? []);

/** The column of one figure, from the groups that have it. */
const columnOf = (figures: readonly NamedFigure[]) => {
  const [first] = figures;
  if (first === undefined) return undefined;
  const { name, declaration } = first;
  if (declaration.isLeftOutAtZero === true && figures.every(({ figure }) => figure.value === 0)) return undefined;
  return { name, title: `${declaration.title}${titleEnding(declaration, figures)}` };
};

const titleEnding = ({ statistic }: Declaration, figures: readonly NamedFigure[]): string => {
  if (statistic === 'median') return ' / average';
  return figures.some(({ share }) => share !== undefined) ? ' (%)' : '';
};

/** Why a figure is not known, or of how many calls it is. */
export const noteOf = (figure: Figure | TimeFigure): string =>
  figure.reason ?? ('of' in figure && figure.calls < figure.of ? `known of ${figure.calls} of ${figure.of} calls` : '');

/** Why figures are not known, each reason once. */
export const unknownReasons = (all: readonly Figures[]): readonly string[] => [
  ...new Set(all.flatMap(figuresOf).flatMap(({ figure }) => figure.reason ?? [])),
];
