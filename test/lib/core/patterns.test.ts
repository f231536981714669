import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDuckDb, quoted } from '../../../functions/transform-events/duckdb.ts';
import { patternTest, sqlConditionOf } from '../../../lib/core/patterns.ts';
import { matches } from '../../docs/contract/support/event-bridge.ts';
import { holdsAsync } from '../../support/arbitraries.ts';

const words = ['inbound', 'ivr', 'unknown'] as const;
const matcher = {
  word: fc.oneof(
    fc.constantFrom(...words),
    fc.record({ exists: fc.boolean() }),
    fc.record({ 'anything-but': fc.subarray([...words], { minLength: 1 }) }),
  ),
  seconds: fc.oneof(
    fc.record({ exists: fc.boolean() }),
    fc.record({ numeric: fc.tuple(fc.constantFrom('<', '<='), fc.constantFrom(9.5, 10, 20)) }),
  ),
};
const pattern = fc.record(
  {
    type: fc.array(matcher.word, { minLength: 1, maxLength: 2 }),
    isAnswered: fc.tuple(fc.boolean()),
    elapsedSeconds: fc.array(matcher.seconds, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['type'] },
);
const fields = fc.record(
  { type: fc.constantFrom(...words), isAnswered: fc.boolean(), elapsedSeconds: fc.constantFrom(0, 9.5, 10, 20.5) },
  { requiredKeys: [] },
);

const columnOf = (field: string) => field.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
const literal = (value: unknown) => (typeof value === 'string' ? quoted(value) : (value ?? 'NULL'));

it('a pattern holds of the same objects in TypeScript, on the bus and in SQL', async () => {
  const duckDb = await openDuckDb();
  await holdsAsync(
    fc.asyncProperty(pattern, fields, async (chosen, object) => {
      const isFitting = patternTest(chosen as never)(object);
      const values = ['type', 'isAnswered', 'elapsedSeconds'].map(
        (name) => `${literal(Reflect.get(object, name))} AS ${columnOf(name)}`,
      );
      const condition = sqlConditionOf(chosen as never, columnOf);
      const answer = await duckDb.runAndReadAll(
        `SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END AS held FROM (SELECT ${values.join(', ')})`,
      );
      expect(answer.getRowObjectsJson()).toEqual([{ held: isFitting ? 1 : 0 }]);
      expect(matches(chosen as never, object as never)).toBe(isFitting);
    }),
    200,
  );
  duckDb.closeSync();
});
