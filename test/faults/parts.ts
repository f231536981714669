import { fail, ok, type Result } from '../../lib/core/result.ts';
import type { Part as AnyPart, PartRun } from '../support/command-parts.ts';
import { crash } from './crash/part.ts';
import { endurance } from './endurance/part.ts';
import { fuzz } from './fuzz/part.ts';
import { schedules } from './schedules/part.ts';

/** The seed of the figures in docs/reliability.md. */
export const defaultSeed = 20_261_121;

export const seedFrom = (text: string): Result<number, string> =>
  /^\d{1,9}$/.test(text) ? ok(Number(text)) : fail('--seed takes a whole number from 0 to 999999999.');

export const seedFlag = { type: 'string', default: String(defaultSeed) } as const;

interface Sizing {
  /** The same seed tries the same things in the same order. */
  readonly seed: number;
  /** `quick` takes seconds and is part of `npm test`; `full` is run by command. */
  readonly size: 'quick' | 'full';
}

/** One measured or counted fact. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  /** Such as `ms`, `MB` or `1/s`; none for a count. */
  readonly unit?: string;
}

/** What a part found. The guarantees held if there is no failure. */
export interface PartReport {
  readonly figures: readonly Figure[];
  /** Each broken guarantee in a sentence or two: which one, after what, and how to reproduce it. */
  readonly failures: readonly string[];
}

/** One way of trying to break the guarantees. */
export type Part = AnyPart<Sizing, PartReport>;
export type PartOptions = Parameters<Part['run']>[0];

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 });

const shown = ({ value, unit }: Figure): string => `${numbers.format(value)}${unit === undefined ? '' : ` ${unit}`}`;

const tableOf = ({ name, what, seconds, report: { figures, failures } }: PartRun<PartReport>): string => {
  const rows = [
    ...figures.map((figure) => [figure.what, shown(figure)]),
    ['duration', `${Math.round(seconds)} s`],
    ['guarantees', failures.length === 0 ? 'held' : `broken: ${failures.length}`],
  ];
  return [`### ${name}: ${what}`, '', '| | |', '|---|--:|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
};

/** The figures of parts as tables, and at the end the failures, where they are noticed. */
export const markdownOf = (runs: readonly PartRun<PartReport>[]): string =>
  [
    ...runs.map(tableOf),
    ...runs.flatMap(({ name, report }) => report.failures.map((failure) => `${name}: ${failure}`)),
  ].join('\n\n');

export const parts: readonly Part[] = [crash, schedules, fuzz, endurance];
