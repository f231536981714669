import { expect, it } from 'vitest';
import { fatesOf, type Strike } from '../../../torture/schedules/strike.ts';
import type { Call } from '../../../torture/world/fate.ts';

const call = (index: number, service: Call['service'] = 'dynamodb'): Call => ({ index, service, operation: 'Any' });
const strikes: readonly Strike[] = [
  { from: 1, count: 2, fate: 'fail' },
  { from: 0, count: 9, fate: 'lose', service: 'sqs' },
];

it.each([
  { of: call(0), fate: 'pass' },
  { of: call(1), fate: 'fail' },
  { of: call(2), fate: 'fail' },
  { of: call(3), fate: 'pass' },
  { of: call(0, 'sqs'), fate: 'lose' },
  { of: call(1, 'sqs'), fate: 'fail' },
  { of: call(9, 'sqs'), fate: 'pass' },
])('call $of.index of $of.service: $fate', ({ of, fate }) => {
  const struck: Call[] = [];
  const fateOf = fatesOf(strikes, (each) => struck.push(each));

  expect(fateOf(of)).toBe(fate);
  expect(struck).toEqual(fate === 'pass' ? [] : [of]);
});
