import { InvalidArgumentError } from 'commander';

/** Reads a whole number within bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (typed: string): number => {
    const number = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
