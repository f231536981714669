import { pick, shuffled } from '../random.ts';
import { type FieldQuirk, type Fields, type Value, withTexts } from '../summary/fields.ts';

/** Other spellings of keys, by the key as the contract has it in lower case. */
const keySpellings: Readonly<Record<string, readonly string[]>> = {
  did: ['dId', 'Did', 'DID', 'DId', 'did'],
  monitorucid: ['monitorUCID', 'ucid'],
  apikey: ['Apikey', 'ApiKey', 'apikey'],
};

/** Keys in other letters; it comes last of all quirks, since the others know the fields by their usual keys. */
export const keySpellingQuirk = {
  name: 'key-spelling',
  probability: 0.15,
  prepare: (random) => {
    const drawn = new Map(Object.entries(keySpellings).map(([key, spellings]) => [key, pick(random, spellings)]));

    return (fields): Fields =>
      Object.fromEntries(Object.entries(fields).map(([key, value]) => [drawn.get(key.toLowerCase()) ?? key, value]));
  },
} as const satisfies FieldQuirk;

/** Other spellings of words, the vendor's own mistake among them. */
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

/** Known words in another letter case or spelling. */
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

/** Words that are in no list of the contract. */
export const unknownValuesQuirk = {
  name: 'unknown-values',
  probability: 0.08,
  prepare: (random) => {
    const drawn = Object.entries(unknownValues).map(([key, words]) => [key, pick(random, words)] as const);

    return (fields) =>
      drawn.reduce(
        (changed: Fields, [key, word]) => withTexts(changed, [key], (text) => replaceLastLink(text, word)),
        fields,
      );
  },
} as const satisfies FieldQuirk;

/** Puts the word in place of the last link, so that a chain stays one. */
const replaceLastLink = (text: string, word: string): string => [...text.split(' -> ').slice(0, -1), word].join(' -> ');

/** Every way in which the service says nothing; undefined leaves the key out. */
const blankSpellings: readonly (Value | undefined)[] = ['', 'None', 'null', '-', null, undefined];

/** Said or not said without harm to the sense of a call: enough of them to show every spelling. */
const dispensable = ['Location', 'PhoneName', 'FallBackRule', 'Comments'];

/** Spelt as a blank only where the call has nothing to say there. */
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

/** Blanks in all their spellings, one drawn for each field. */
export const blanksQuirk = {
  name: 'blanks',
  probability: 0.2,
  prepare: (random) => {
    const keys = [...shuffled(random, [...dispensable, ...oftenBlank]), ...shuffled(random, sometimesBlank)];
    const spellingOf = new Map(keys.map((key, index) => [key, blankSpellings[index % blankSpellings.length]]));

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
