import { shuffled } from '../random.ts';
import { clockOf, secondsOf } from '../summary/local-time.ts';
import { bare, type Fields, type Value, withTexts } from '../summary/value.ts';
import type { FieldQuirk } from './field-quirk.ts';

/** Every way of writing a duration besides `HH:MM:SS`. */
const formats: readonly ((seconds: number) => Value)[] = [
  () => '',
  (seconds) => clockOf(seconds).slice(3),
  (seconds) => String(seconds),
  (seconds) => bare(String(seconds)),
];

const keys = ['CallDuration', 'Duration', 'TimeToAnswer', 'ConfDuration', 'HoldDuration', 'WrapUpDuration'] as const;

/** Habits with durations. */
export const durationQuirks = [
  {
    name: 'duration-formats',
    probability: 0.08,
    prepare: (random) => {
      // One format each for the four that every answered call has, so that all formats occur.
      const drawn = shuffled(random, formats);

      return (fields) =>
        keys.reduce((changed: Fields, key, index) => {
          const format = drawn[index % drawn.length] ?? String;
          return withTexts(changed, [key], (clock) => format(secondsOf(clock)));
        }, fields);
    },
  },
  {
    name: 'long-conference',
    probability: 0.02,
    prepare:
      (_, { call }) =>
      (fields) => ({ ...fields, ConfDuration: clockOf(call.ringSeconds + call.talkSeconds + 45) }),
  },
] as const satisfies readonly FieldQuirk[];
