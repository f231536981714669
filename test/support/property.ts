import fc from 'fast-check';

/** Fixed, so that a run can be repeated; FC_SEED=... looks elsewhere. A failure prints its seed and path. */
const seed = Number(process.env['FC_SEED'] ?? 20_261_121);

/**
 * The share of the inputs that is tried. CI tries all of them. The mutation test, which runs a property thousands of times,
 * asks for fewer, and for no smallest one.
 */
const share = Number(process.env['FC_SHARE'] ?? 0.5);

const parameters = (numRuns: number) => ({ seed, numRuns: Math.ceil(numRuns * share), endOnFailure: share < 0.5 });

/** Asserts a property for `numRuns` generated inputs. */
export const holds = <Input>(property: fc.IProperty<Input>, numRuns = 200): void =>
  fc.assert(property, parameters(numRuns));

/** The same for a property that waits for something. */
export const holdsAsync = <Input>(property: fc.IAsyncProperty<Input>, numRuns = 100): Promise<void> =>
  fc.assert(property, parameters(numRuns));

/** A choice between values by their weights. */
export const weighted = <Value>(...choices: readonly (readonly [weight: number, of: fc.Arbitrary<Value>])[]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/**
 * Every character that a text may have. fast-check's own units for them first make a table of all million, which takes a
 * second and memory that each collection of garbage then goes through.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
