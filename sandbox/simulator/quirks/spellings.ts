import { pick, shuffled } from '../random.ts';
import { type FieldQuirk, type Fields, type Value, withTexts } from '../summary.ts';

/** Spellings of keys, by the contract's key in lower case. */
const keySpellings: Readonly<Record<string, readonly string[]>> = {
  did: ['dId', 'Did', 'DID', 'DId', 'did'],
  monitorucid: ['monitorUCID', 'ucid'],
  apikey: ['Apikey', 'ApiKey', 'apikey'],
};

/** Keys in other spellings. It is applied last, as the other quirks use the usual keys. */
export const keySpellingQuirk = {
  name: 'key-spelling',
  probability: 0.15,
  prepare: (random) => {
    const drawn = new Map(Object.entries(keySpellings).map(([key, spellings]) => [key, pick(random, spellings)]));

    return (fields): Fields =>
      Object.fromEntries(Object.entries(fields).map(([key, value]) => [drawn.get(key.toLowerCase()) ?? key, value]));
  },
} as const satisfies FieldQuirk;

/** Spellings of values, including the vendor's own misspelling. */
const valueSpellings: Readonly<Record<string, readonly string[]>> = {
  Inbound: ['inbound', 'InBound'],
  Manual: ['manual'],
  Progressive: ['progressive'],
  Preview: ['preview'],
  Predictive: ['Predective'],
  Answered: ['answered'],
  UserHangup: ['User Hangup'],
  AgentHangup: ['Agent Hangup'],
  SystemHangup: ['System Hangup'],
  'Phone Number': ['PhoneNumber'],
  answered: ['Answered'],
  Busy: ['busy'],
};

/** Known values in another letter case or spelling. */
export const valueSpellingQuirk = {
  name: 'value-spelling',
  probability: 0.15,
  prepare: (random) => {
    const drawn = new Map(Object.entries(valueSpellings).map(([word, spellings]) => [word, pick(random, spellings)]));

    return (fields) =>
      withTexts(
        fields,
        ['Type', 'Status', 'HangupBy', 'TransferType', 'CustomerStatus'],
        (word) => drawn.get(word) ?? word,
      );
  },
} as const satisfies FieldQuirk;

const unknownValues = {
  DialStatus: [
    'DND',
    'MaxDialTimeExceeded',
    'NoAnswer',
    'Authentication error',
    'NormalUnspecified',
    'QTimeExceeded{60}',
  ],
  CustomerStatus: ['DND', 'BlockedNumber', 'NoAnswer', 'Fail', 'NormalUnspecified'],
  AgentStatus: ['agent_disconnect', 'NoAnswer', 'Fail'],
  HangupBy: ['agent_disconnect', 'MaxDialTimeExceeded'],
} as const;

/** Values that the contract does not list. */
export const unknownValuesQuirk = {
  name: 'unknown-values',
  probability: 0.08,
  isContent: true,
  prepare: (random) => {
    const drawn = Object.entries(unknownValues).map(([key, words]) => [key, pick(random, words)] as const);

    return (fields) =>
      drawn.reduce(
        (changed: Fields, [key, word]) => withTexts(changed, [key], (text) => replaceLastLink(text, word)),
        fields,
      );
  },
} as const satisfies FieldQuirk;

/** Replaces the last link, so that a chain stays a chain. */
const replaceLastLink = (text: string, word: string): string => [...text.split(' -> ').slice(0, -1), word].join(' -> ');

/** All spellings of a blank value; undefined omits the key. */
const blankSpellings: readonly (Value | undefined)[] = ['', 'None', 'null', '-', null, undefined];

/** Fields that may be blank in any call. There are enough of them to show every spelling. */
const alwaysBlank = ['Location', 'PhoneName', 'FallBackRule', 'Comments'];

/** Fields that are changed only where they are empty. */
const oftenBlank = ['UUI', 'TransferredTo', 'CallerConfAudioFile'];
const sometimesBlank = [
  'AudioFile',
  'Disposition',
  'TimeToAnswer',
  'AgentID',
  'AgentName',
  'AgentUniqueID',
  'AgentPhoneNumber',
];

/** Blank values in all spellings, one drawn for each field. */
export const blanksQuirk = {
  name: 'blanks',
  probability: 0.2,
  prepare: (random) => {
    const keys = [...shuffled(random, [...alwaysBlank, ...oftenBlank]), ...shuffled(random, sometimesBlank)];
    const spellingOf = new Map(keys.map((key, index) => [key, blankSpellings[index % blankSpellings.length]]));

    return (fields): Fields =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([key, value]): [string, Value][] => {
          if (!spellingOf.has(key) || (value !== '' && !alwaysBlank.includes(key))) return [[key, value]];
          const spelling = spellingOf.get(key);
          return spelling === undefined ? [] : [[key, spelling]];
        }),
      );
  },
} as const satisfies FieldQuirk;
