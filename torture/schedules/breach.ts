/** A guarantee that did not hold. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** Throws a breach, in these words, unless it holds. */
export const must = (holds: boolean, otherwise: () => string): void => {
  if (!holds) throw new Breach(otherwise());
};
