import { between } from '../random.ts';
import { localTime } from '../summary/local-time.ts';
import { withTexts } from '../summary/value.ts';
import type { FieldQuirk } from './field-quirk.ts';

const keys = ['StartTime', 'EndTime'] as const;

/** Habits with times. */
export const timeQuirks = [
  {
    name: 'time-with-colons',
    probability: 0.03,
    prepare: () => (fields) => withTexts(fields, keys, (time) => time.replaceAll('-', ':')),
  },
  {
    name: 'time-with-zone',
    probability: 0.03,
    prepare:
      (_, { call }) =>
      (fields) => ({
        ...fields,
        StartTime: new Date(call.startedAt).toISOString(),
        EndTime: new Date(call.endedAt).toISOString(),
      }),
  },
  {
    name: 'end-equals-start',
    probability: 0.02,
    prepare: () => (fields) => ({ ...fields, EndTime: fields['StartTime'] ?? '' }),
  },
  {
    name: 'end-before-start',
    probability: 0.01,
    prepare: (random, { call, account }) => {
      const end = localTime(call.startedAt - between(random, 1, 5) * 1000, account.timeZone);
      return (fields) => ({ ...fields, EndTime: end });
    },
  },
] as const satisfies readonly FieldQuirk[];
