import type { Account } from '../../lib/accounts/accounts.ts';
import type { Call } from './call.ts';
import {
  bareNumber,
  type Fields,
  formatDuration,
  localTime,
  parseDuration,
  type Rewrite,
  recordingUrl,
  type Value,
  withTexts,
} from './call-fields.ts';
import { between, type Choosable, choose, digitsOf, pick, type Random, shuffled } from './random.ts';

/** Draws once per call how all posts and legs of that call are changed, as the service does not change its format between two. */
type Change = (random: Random, call: Call, account: Account) => Rewrite;

interface Options {
  readonly appliesTo?: (call: Call) => boolean;
  /** Whether it changes the content and not only its spelling. The call report then has the same content. */
  readonly isContent?: true;
}

interface FieldQuirk extends Choosable, Options {
  readonly change: Change;
}

const quirk = <Name extends string>(name: Name, probability: number, change: Change, options: Options = {}) => ({
  name,
  probability,
  change,
  ...options,
});

const inTexts =
  (keys: readonly string[], change: (text: string) => Value): Rewrite =>
  (fields) =>
    withTexts(fields, keys, change);
const set =
  (values: Fields): Rewrite =>
  (fields) => ({ ...fields, ...values });
const composed =
  (rewrites: readonly Rewrite[]): Rewrite =>
  (fields) =>
    rewrites.reduce((changed, rewrite) => rewrite(changed), fields);

/** Text of 14 to 17 digits: the usual id. */
export const ordinaryId = (random: Random): string => digitsOf(random, between(random, 14, 17));

// Odd and greater than 2^54, so that no double can hold it. Parsing it as a number changes it.
const unsafeId = (random: Random): string => `9${digitsOf(random, 15)}${1 + 2 * between(random, 0, 4)}`;

const bareId: Change = () => inTexts(['monitorUCID'], bareNumber);

export const identifierQuirks = [
  { ...quirk('number-id', 0.12, bareId), digits: unsafeId },
  { ...quirk('long-id', 0.03, () => (fields) => fields), digits: (random: Random) => digitsOf(random, 20) },
  {
    ...quirk('long-number-id', 0.02, bareId),
    digits: (random: Random) => `${digitsOf(random, 3)}${unsafeId(random)}`,
  },
] as const;

const content = { isContent: true } as const;
const ofRecordings = { ...content, appliesTo: ({ scenario }: Call) => scenario.recorded };

const padded = (url: string, length: number): string => `${url}?token=`.padEnd(length, 'x');

const drawnOf = (random: Random, spellings: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(spellings).map(([word, some]) => [word, pick(random, some)]));

const unknownValues = {
  DialStatus: [
    ...['DND', 'MaxDialTimeExceeded', 'NoAnswer', 'Authentication error', 'NormalUnspecified', 'QTimeExceeded{60}'],
  ],
  CustomerStatus: ['DND', 'BlockedNumber', 'NoAnswer', 'Fail', 'NormalUnspecified'],
  AgentStatus: ['agent_disconnect', 'NoAnswer', 'Fail'],
  HangupBy: ['agent_disconnect', 'MaxDialTimeExceeded'],
};

/** Only the last link is replaced, so that a chain stays a chain. */
const withLastLink = (text: string, word: string): string => [...text.split(' -> ').slice(0, -1), word].join(' -> ');

/** Spellings of known values, including the vendor's own misspelling. */
const valueSpellings = {
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
const spelledKeys = ['Type', 'Status', 'HangupBy', 'TransferType', 'CustomerStatus'];

const durationFormats: readonly ((seconds: number) => Value)[] = [
  () => '',
  (seconds) => formatDuration(seconds).slice(3),
  String,
  (seconds) => bareNumber(String(seconds)),
];
/** Every answered call has the first four. Each gets another format, so that all formats occur. */
const durationKeys = ['CallDuration', 'Duration', 'TimeToAnswer', 'ConfDuration', 'HoldDuration', 'WrapUpDuration'];

const numericKeys = ['CallerID', 'Did', 'DID', 'DialedNumber', 'AgentPhoneNumber', 'AgentUniqueID', 'DataUniqueId'];

const blankSpellings: readonly (Value | undefined)[] = ['', 'None', 'null', '-', null, undefined];
/** Fields that may be blank in any call. There are enough of them to show every spelling. */
const alwaysBlank = ['Location', 'PhoneName', 'FallBackRule', 'Comments'];
const oftenBlank = ['UUI', 'TransferredTo', 'CallerConfAudioFile'];
const sometimesBlank = [
  ...['AudioFile', 'Disposition', 'TimeToAnswer', 'AgentID', 'AgentName', 'AgentUniqueID', 'AgentPhoneNumber'],
];

/** By the contract's key in lower case. */
const keySpellings = {
  did: ['dId', 'Did', 'DID', 'DId', 'did'],
  monitorucid: ['monitorUCID', 'ucid'],
  apikey: ['Apikey', 'ApiKey', 'apikey'],
};

/** A call has at most one quirk of each list. They are applied in this order: the last one exchanges the keys that others use. */
const lists = [
  [
    quirk(
      'several-recordings',
      0.05,
      (_, call) => inTexts(['AudioFile'], (url) => [url, recordingUrl(call, '2'), recordingUrl(call, '3')].join(',')),
      ofRecordings,
    ),
    quirk('repeated-recording', 0.04, () => inTexts(['AudioFile'], (url) => `${url},${url}`), ofRecordings),
    quirk(
      'http-recording',
      0.05,
      () => inTexts(['AudioFile', 'CallerConfAudioFile'], (url) => url.replaceAll('https:', 'http:')),
      ofRecordings,
    ),
    quirk(
      'conference-recordings',
      0.02,
      (_, call) =>
        set({
          CallerConfAudioFile: `${recordingUrl(call, 'conference-1')} -> ${recordingUrl(call, 'conference-2')}`,
        }),
      ofRecordings,
    ),
  ],
  [
    // Lengths observed in production. The contract allows 500, 500 and 20 characters.
    quirk(
      'over-long',
      0.02,
      (random, call) => {
        const uniqueId = digitsOf(random, 25);
        return composed([
          inTexts(['AudioFile'], (url) => padded(url, 783)),
          set({ CallerConfAudioFile: padded(recordingUrl(call, 'conference-1'), 571) }),
          inTexts(['AgentUniqueID'], () => uniqueId),
        ]);
      },
      content,
    ),
  ],
  [
    quirk(
      'unknown-values',
      0.08,
      (random) =>
        composed(
          [...drawnOf(random, unknownValues)].map(([key, word]) => inTexts([key], (text) => withLastLink(text, word))),
        ),
      content,
    ),
    quirk('value-spelling', 0.15, (random) => {
      const drawn = drawnOf(random, valueSpellings);
      return inTexts(spelledKeys, (word) => drawn.get(word) ?? word);
    }),
  ],
  [
    quirk('duration-formats', 0.08, (random) => {
      const drawn = shuffled(random, durationFormats);
      const formatOf = (index: number) => drawn[index % drawn.length] ?? String;
      return composed(
        durationKeys.map((key, index) => inTexts([key], (clock) => formatOf(index)(parseDuration(clock)))),
      );
    }),
    quirk(
      'long-conference',
      0.02,
      (_, call) => set({ ConfDuration: formatDuration(call.ringSeconds + call.talkSeconds + 45) }),
      content,
    ),
  ],
  [
    quirk('time-with-colons', 0.03, () => inTexts(['StartTime', 'EndTime'], (time) => time.replaceAll('-', ':'))),
    quirk('time-with-zone', 0.03, (_, { startedAt, endedAt }) =>
      set({ StartTime: new Date(startedAt).toISOString(), EndTime: new Date(endedAt).toISOString() }),
    ),
    quirk('end-equals-start', 0.02, () => (fields) => ({ ...fields, EndTime: fields['StartTime'] ?? '' })),
    quirk('end-before-start', 0.01, (random, { startedAt }, { timeZone }) =>
      set({ EndTime: localTime(startedAt - between(random, 1, 5) * 1000, timeZone) }),
    ),
  ],
  [
    // The format of the call's own id is another quirk.
    quirk('numbers-as-text', 0.05, (_, call) => (fields) => ({
      ...Object.fromEntries(
        Object.entries(fields).map(([key, value]) =>
          value !== null && typeof value === 'object' && key !== 'monitorUCID' ? [key, value.rawJSON] : [key, value],
        ),
      ),
      CallID: call.id,
      UCID: call.legId,
    })),
    quirk('text-as-numbers', 0.05, () =>
      inTexts(numericKeys, (text) => (/^[1-9]\d*$/.test(text) ? bareNumber(text) : text)),
    ),
  ],
  [
    // Some were observed in production, the last one is invented.
    quirk('unknown-keys', 0.15, (random, call) =>
      set({
        SkillID: bareNumber(digitsOf(random, 5)),
        UCID: bareNumber(call.id),
        TotalWrapupTime: formatDuration(call.wrapUpSeconds),
        TotalHandlingTime: formatDuration(call.talkSeconds + call.wrapUpSeconds),
        AnswerTime: formatDuration(call.ringSeconds),
        TalkTime: String(call.talkSeconds),
        [`Feature${between(random, 2, 99)}`]: 'on',
      }),
    ),
  ],
  [
    quirk('blanks', 0.2, (random) => {
      const keys = [...shuffled(random, [...alwaysBlank, ...oftenBlank]), ...shuffled(random, sometimesBlank)];
      const spellingOf = new Map(keys.map((key, index) => [key, blankSpellings[index % blankSpellings.length]]));
      return (fields) =>
        Object.fromEntries(
          Object.entries(fields).flatMap(([key, value]): [string, Value][] => {
            if (!spellingOf.has(key) || (value !== '' && !alwaysBlank.includes(key))) return [[key, value]];
            const spelling = spellingOf.get(key);
            return spelling === undefined ? [] : [[key, spelling]];
          }),
        );
    }),
  ],
  [
    quirk('key-spelling', 0.15, (random) => {
      const drawn = drawnOf(random, keySpellings);
      return (fields) =>
        Object.fromEntries(Object.entries(fields).map(([key, value]) => [drawn.get(key.toLowerCase()) ?? key, value]));
    }),
  ],
] as const;

export const fieldQuirks = lists.flat();

export const chooseFieldQuirks = (random: Random, name?: string): readonly FieldQuirk[] =>
  lists.flatMap((list) => choose<FieldQuirk>(random, list, name) ?? []);

/** All quirks of a call as one rewrite, and those of its content alone, which the call report has as well. */
export const rewritesBy = (random: Random, quirks: readonly FieldQuirk[], call: Call, account: Account) => {
  const drawn = quirks.map(({ change, isContent }) => ({ rewrite: change(random, call, account), isContent }));
  const rewriteOf = (some: typeof drawn): Rewrite => composed(some.map(({ rewrite }) => rewrite));

  return { all: rewriteOf(drawn), content: rewriteOf(drawn.filter(({ isContent }) => isContent)) };
};
