import fc from 'fast-check';

/** Fixed, so that a run can be repeated; FC_SEED=... looks elsewhere. A failure prints its seed and path. */
const seed = Number(process.env['FC_SEED'] ?? 20_261_121);

/** Asserts a property for `numRuns` generated inputs. */
export const holds = <Input>(property: fc.IProperty<Input>, numRuns = 200): void =>
  fc.assert(property, { seed, numRuns });

/** The same for a property that waits for something. */
export const holdsAsync = <Input>(property: fc.IAsyncProperty<Input>, numRuns = 100): Promise<void> =>
  fc.assert(property, { seed, numRuns });
