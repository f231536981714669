import { shuffled } from '../random.ts';
import type { Fields, Value } from '../summary/value.ts';
import type { FieldQuirk } from './field-quirk.ts';

/** Every way in which the service says nothing; undefined leaves the key out. */
const spellings: readonly (Value | undefined)[] = ['', 'None', 'null', '-', null, undefined];

/** Said or not said without harm to the sense of a call: enough of them to show every spelling. */
const dispensable = ['Location', 'PhoneName', 'FallBackRule', 'Comments'];

/** Spelt as a blank only where the call has nothing to say there. */
const often = ['UUI', 'TransferredTo', 'CallerConfAudioFile'];
const sometimes = [
  'AudioFile',
  'Disposition',
  'TimeToAnswer',
  'AgentID',
  'AgentName',
  'AgentUniqueID',
  'AgentPhoneNumber',
];

/** Blanks in all their spellings, one drawn for each field. */
export const blanksQuirk = {
  name: 'blanks',
  probability: 0.2,
  prepare: (random) => {
    const keys = [...shuffled(random, [...dispensable, ...often]), ...shuffled(random, sometimes)];
    const spellingOf = new Map(keys.map((key, index) => [key, spellings[index % spellings.length]]));

    return (fields): Fields =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([key, value]): [string, Value][] => {
          if (!spellingOf.has(key) || (value !== '' && !dispensable.includes(key))) return [[key, value]];
          const spelling = spellingOf.get(key);
          return spelling === undefined ? [] : [[key, spelling]];
        }),
      );
  },
} as const satisfies FieldQuirk;
