import { filtersOfCount } from '../../../cli/calls/set-filters.ts';
import type { PageQuery } from '../../../cli/console/page/hash.ts';
import { type CallFigureName, callFigureDeclarations, median, type SumName } from '../../../client/call-figures.ts';
import { countedCallOf, type DurationName, durationOf } from '../../../lib/contract/call-counts.ts';
import { elapsedSecondsOf } from '../../../lib/contract/rules.ts';
import type { Lists, Row } from './lists.ts';

/*
 * What a figure has to be, by the calls that its links open. Which calls a filter selects is held elsewhere (test/client, test/lib):
 * here each number is held against the lists beside it.
 */

/** The calls of which a share is the part, by the words of a list. */
const partOfShare: Readonly<Record<string, (within: number) => PageQuery>> = {
  serviceLevel: (within) => ({ within: String(within) }),
  abandonment: () => ({ counted: 'given-up' }),
};

const statistics: Readonly<Record<string, (seconds: readonly number[]) => number>> = {
  total: (all) => all.reduce((sum, one) => sum + one, 0),
  average: (all) => all.reduce((sum, one) => sum + one, 0) / all.length,
  longest: (all) => Math.max(...all),
  median,
};

export const toThousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

export const isCallFigure = (name: string): name is CallFigureName | SumName =>
  Object.hasOwn(callFigureDeclarations, name);

/** A list whose calls are counted, and within how many seconds an answer is in time. */
export interface OfList {
  readonly list: PageQuery;
  readonly within: number;
  /** Which of the rows count: those that had come when the number was given. */
  readonly count: (rows: readonly Row[]) => Promise<readonly Row[]>;
}

export const figuresBy = (lists: Lists) => {
  const opened = async (of: OfList, filters: PageQuery) =>
    await of.count(await lists.opened({ ...of.list, ...filters }));
  const counted = async (of: OfList, filters: PageQuery) => (await opened(of, filters)).length;

  /** The calls that a figure counts or rests on. */
  const openedBy = (name: CallFigureName | SumName, of: OfList) => {
    const { counts, duration } = callFigureDeclarations[name];
    return opened(of, { ...filtersOfCount(counts, of.within, duration) });
  };

  const secondsOf = async (rows: readonly Row[], duration: DurationName, agent: string | undefined) =>
    (await lists.rowsOf(rows)).flatMap((call) => durationOf(countedCallOf(call, agent), duration) ?? []);

  const statisticOf = async (
    name: CallFigureName | SumName,
    of: OfList,
    statistic: string,
  ): Promise<number | undefined> => {
    const { duration } = callFigureDeclarations[name];
    const seconds = duration === undefined ? [] : await secondsOf(await openedBy(name, of), duration, of.list['agent']);
    return seconds.length === 0 ? undefined : toThousandths(statistics[statistic]?.(seconds) ?? Number.NaN);
  };

  const figureOf = async (name: CallFigureName | SumName, of: OfList): Promise<number | undefined> => {
    const { unit, statistic = '' } = callFigureDeclarations[name];
    if (unit === 'seconds') return await statisticOf(name, of, statistic);
    const { length } = await openedBy(name, of);
    if (unit === 'calls') return length;
    return toThousandths((await counted(of, partOfShare[name]?.(of.within) ?? {})) / length);
  };

  /** Offered calls of which it is known whether they were answered. */
  const decided = async (of: OfList) =>
    (await counted(of, { counted: 'offered' })) - (await counted(of, { counted: 'undecided' }));
  const having = async (
    of: OfList,
    word: string,
    has: (call: Awaited<ReturnType<Lists['rowsOf']>>[number]) => boolean,
  ) => (await lists.rowsOf(await opened(of, { counted: word }))).filter(has).length;

  /** Of which calls a number of calls is known, and among which it counts. */
  const known: Readonly<Record<string, (of: OfList) => Promise<readonly [known: number, among: number]>>> = {
    answered: async (of) => [await decided(of), await counted(of, { counted: 'offered' })],
    missed: async (of) => [await decided(of), await counted(of, { counted: 'offered' })],
    // A row adds up with them, and they are known where the answered ones are.
    answeredByOthers: async (of) => [await decided(of), await counted(of, { counted: 'offered' })],
    abandoned: async (of) => [
      await having(of, 'missed', ({ hangupBy = 'unknown' }) => hangupBy !== 'unknown'),
      await counted(of, { counted: 'missed' }),
    ],
    shortAbandoned: async (of) => [
      await having(of, 'abandoned', (call) => elapsedSecondsOf(call) !== undefined),
      await counted(of, { counted: 'abandoned' }),
    ],
    answeredLate: async (of) => [
      await counted(of, { counted: 'answered', known: 'time-to-answer' }),
      await counted(of, { counted: 'answered' }),
    ],
    handled: async (of) => [
      (await opened(of, {})).filter(({ status = 'unknown' }) => status !== 'unknown').length,
      await counted(of, {}),
    ],
  };

  return {
    opened,
    counted,
    openedBy,
    figureOf,
    statisticOf,
    decided,
    async knownOf(name: CallFigureName | SumName, of: OfList): Promise<readonly [known: number, among: number]> {
      const { unit, counts } = callFigureDeclarations[name];
      if (unit === 'calls') return (await known[name]?.(of)) ?? [Number.NaN, Number.NaN];
      const { length } = await openedBy(name, of);
      if (unit === 'seconds') return [length, await counted(of, { ...filtersOfCount(counts, of.within) })];
      return [
        length,
        (await counted(of, { counted: 'offered' })) - (await counted(of, { counted: 'short-abandoned' })),
      ];
    },
  };
};

export type Figures = ReturnType<typeof figuresBy>;
