import type { Growth } from './fit/growths-of.ts';
import type { Quantity } from './readings.ts';

/** Linear, and some room for what sorts and caches add. */
const steepest = 1.15;

/** What grows faster than it may, each in a sentence. One round that does not shows that noise made the others. */
export const tooSteep = (quantity: Quantity, growths: readonly Growth[]): readonly string[] =>
  growths.flatMap(({ subject, work, fit, range }) =>
    fit === undefined || range === undefined || Math.min(fit.exponent, ...range) <= steepest
      ? []
      : [
          `${subject}, ${work}: ${quantity} grows with the exponent ${fit.exponent.toFixed(2)}; at most ${steepest} may be.`,
        ],
  );
