/** A number, and what it counts, that an argument may be. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

/** Throws a RangeError that says what is allowed. */
export const numberFrom = (name: string, value: unknown, { least, most, isWhole }: Bounds): number => {
  const isNumber = typeof value === 'number' && (!isWhole || Number.isInteger(value));
  if (!isNumber || !(value >= least && value <= most))
    throw new RangeError(`${name}: expected a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
  return value;
};
