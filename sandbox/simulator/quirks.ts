import type { Account } from '../../lib/accounts/accounts.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { documentedDuration } from '../../lib/core/time.ts';
import type { PlannedCall } from './call.ts';
import { recordingUrl } from './call-fields.ts';
import { between, type Choosable, choose, pick, type Random, randomDigits, shuffled } from './random.ts';
import {
  bareNumber,
  parseDuration,
  type Rewrite,
  type SentFields,
  type Value,
  wallTime,
  withTexts,
} from './sent-fields.ts';

/** Draws once per call how all posts and legs of that call are changed, as the service does not change its format between two. */
type Change = (random: Random, call: PlannedCall, account: Account) => Rewrite;

interface FieldQuirk extends Choosable {
  readonly change: Change;
  readonly appliesTo?: (call: PlannedCall) => boolean;
  /** Whether it changes the content and not only its spelling. The call report then has the same content. */
  readonly isContent?: true;
}

const quirk = <Name extends string, Options extends Pick<FieldQuirk, 'appliesTo' | 'isContent'>>(
  name: Name,
  probability: number,
  change: Change,
  options?: Options,
) => ({ name, probability, change, ...options });

const inTexts =
  (keys: readonly string[], change: (text: string) => Value): Rewrite =>
  (fields) =>
    withTexts(fields, keys, change);
const set =
  (values: SentFields): Rewrite =>
  (fields) => ({ ...fields, ...values });
const entriesOf =
  (change: (key: string, value: Value) => readonly (readonly [string, Value])[]): Rewrite =>
  (fields) =>
    Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => change(key, value)));
const composed =
  (rewrites: readonly Rewrite[]): Rewrite =>
  (fields) =>
    rewrites.reduce((changed, rewrite) => rewrite(changed), fields);

export const ordinaryId = (random: Random): string => randomDigits(random, between(random, 14, 17));

// Odd and greater than 2^54, so that no double can hold it. Parsing it as a number changes it.
const unsafeId = (random: Random): string => `9${randomDigits(random, 15)}${1 + 2 * between(random, 0, 4)}`;

const bareId: Change = () => inTexts(['monitorUCID'], bareNumber);

export const identifierQuirks = [
  { ...quirk('number-id', 0.12, bareId), digits: unsafeId },
  { ...quirk('long-id', 0.03, () => (fields) => fields), digits: (random: Random) => randomDigits(random, 20) },
  {
    ...quirk('long-number-id', 0.02, bareId),
    digits: (random: Random) => `${randomDigits(random, 3)}${unsafeId(random)}`,
  },
] as const;

const content = { isContent: true } as const;
const ofRecordings = { ...content, appliesTo: ({ scenario }: PlannedCall) => scenario.recorded };

const severalRecordings: Change = (_, call) =>
  inTexts(['AudioFile'], (url) => [url, recordingUrl(call, '2'), recordingUrl(call, '3')].join(','));
const repeatedRecording: Change = () => inTexts(['AudioFile'], (url) => `${url},${url}`);
const httpRecording: Change = () =>
  inTexts(['AudioFile', 'CallerConfAudioFile'], (url) => url.replaceAll('https:', 'http:'));
const conferenceRecordings: Change = (_, call) =>
  set({ CallerConfAudioFile: ['conference-1', 'conference-2'].map((name) => recordingUrl(call, name)).join(' -> ') });

const padded = (url: string, length: number): string => `${url}?token=`.padEnd(length, 'x');

/** Lengths observed in production. The contract allows 500, 500 and 20 characters. */
const overLong: Change = (random, call) => {
  const uniqueId = randomDigits(random, 25);
  return composed([
    inTexts(['AudioFile'], (url) => padded(url, 783)),
    set({ CallerConfAudioFile: padded(recordingUrl(call, 'conference-1'), 571) }),
    inTexts(['AgentUniqueID'], () => uniqueId),
  ]);
};

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

const withUnknownValues: Change = (random) =>
  composed(
    [...drawnOf(random, unknownValues)].map(([key, word]) => inTexts([key], (text) => withLastLink(text, word))),
  );

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
const withOtherSpellings: Change = (random) => {
  const drawn = drawnOf(random, valueSpellings);
  const keys = ['Type', 'Status', 'HangupBy', 'TransferType', 'CustomerStatus'];
  return inTexts(keys, (word) => drawn.get(word) ?? word);
};

const durationFormats: readonly ((seconds: number) => Value)[] = [
  () => '',
  (seconds) => documentedDuration(seconds).slice(3),
  String,
  (seconds) => bareNumber(String(seconds)),
];
/** Every answered call has the first four. Each gets another format, so that all formats occur. */
const durationKeys = ['CallDuration', 'Duration', 'TimeToAnswer', 'ConfDuration', 'HoldDuration', 'WrapUpDuration'];

const withDurationFormats: Change = (random) => {
  const drawn = shuffled(random, durationFormats);
  const formatOf = (index: number) => drawn[index % drawn.length] ?? String;
  return composed(durationKeys.map((key, index) => inTexts([key], (clock) => formatOf(index)(parseDuration(clock)))));
};

const longConference: Change = (_, { ringSeconds, talkSeconds }) =>
  set({ ConfDuration: documentedDuration(ringSeconds + talkSeconds + 45) });

const withZone: Change = (_, { startedAt, endedAt }) =>
  set({ StartTime: new Date(startedAt).toISOString(), EndTime: new Date(endedAt).toISOString() });
const endBeforeStart: Change = (random, { startedAt }, { timeZone }) =>
  set({ EndTime: wallTime(startedAt - between(random, 1, 5) * 1000, timeZone) });

/** The format of the call's own id is another quirk. */
const numbersAsText: Change = (_, call) => (fields) => ({
  ...mapValues(fields, (value, key) =>
    value !== null && typeof value === 'object' && key !== 'monitorUCID' ? value.rawJSON : value,
  ),
  CallID: call.id,
  UCID: call.legId,
});
const numericKeys = ['CallerID', 'Did', 'DID', 'DialedNumber', 'AgentPhoneNumber', 'AgentUniqueID', 'DataUniqueId'];
const textAsNumbers: Change = () => inTexts(numericKeys, (text) => (/^[1-9]\d*$/.test(text) ? bareNumber(text) : text));

/** Some were observed in production, the last one is invented. */
const withUnknownKeys: Change = (random, { id, ringSeconds, talkSeconds, wrapUpSeconds }) =>
  set({
    SkillID: bareNumber(randomDigits(random, 5)),
    UCID: bareNumber(id),
    TotalWrapupTime: documentedDuration(wrapUpSeconds),
    TotalHandlingTime: documentedDuration(talkSeconds + wrapUpSeconds),
    AnswerTime: documentedDuration(ringSeconds),
    TalkTime: String(talkSeconds),
    [`Feature${between(random, 2, 99)}`]: 'on',
  });

const blankSpellings: readonly (Value | undefined)[] = ['', 'None', 'null', '-', null, undefined];
/** Fields that may be blank in any call. There are enough of them to show every spelling. */
const alwaysBlank = ['Location', 'PhoneName', 'FallBackRule', 'Comments'];
const oftenBlank = ['UUI', 'TransferredTo', 'CallerConfAudioFile'];
const sometimesBlank = [
  ...['AudioFile', 'Disposition', 'TimeToAnswer', 'AgentID', 'AgentName', 'AgentUniqueID', 'AgentPhoneNumber'],
];

const withBlanks: Change = (random) => {
  const keys = [...shuffled(random, [...alwaysBlank, ...oftenBlank]), ...shuffled(random, sometimesBlank)];
  const spellingOf = new Map(keys.map((key, index) => [key, blankSpellings[index % blankSpellings.length]]));
  return entriesOf((key, value) => {
    if (!spellingOf.has(key) || (value !== '' && !alwaysBlank.includes(key))) return [[key, value]];
    const spelling = spellingOf.get(key);
    return spelling === undefined ? [] : [[key, spelling]];
  });
};

const keySpellings = {
  did: ['dId', 'Did', 'DID', 'DId', 'did'],
  monitorucid: ['monitorUCID', 'ucid'],
  apikey: ['Apikey', 'ApiKey', 'apikey'],
};
const withKeySpellings: Change = (random) => {
  const drawn = drawnOf(random, keySpellings);
  return entriesOf((key, value) => [[drawn.get(key.toLowerCase()) ?? key, value]]);
};

/** A call has at most one quirk of each list. They are applied in this order: the last one exchanges the keys that others use. */
const lists = [
  [
    quirk('several-recordings', 0.05, severalRecordings, ofRecordings),
    quirk('repeated-recording', 0.04, repeatedRecording, ofRecordings),
    quirk('http-recording', 0.05, httpRecording, ofRecordings),
    quirk('conference-recordings', 0.02, conferenceRecordings, ofRecordings),
  ],
  [quirk('over-long', 0.02, overLong, content)],
  [quirk('unknown-values', 0.08, withUnknownValues, content), quirk('value-spelling', 0.15, withOtherSpellings)],
  [quirk('duration-formats', 0.08, withDurationFormats), quirk('long-conference', 0.02, longConference, content)],
  [
    quirk('time-with-colons', 0.03, () => inTexts(['StartTime', 'EndTime'], (time) => time.replaceAll('-', ':'))),
    quirk('time-with-zone', 0.03, withZone),
    quirk('end-equals-start', 0.02, () => (fields) => ({ ...fields, EndTime: fields['StartTime'] ?? '' })),
    quirk('end-before-start', 0.01, endBeforeStart),
  ],
  [quirk('numbers-as-text', 0.05, numbersAsText), quirk('text-as-numbers', 0.05, textAsNumbers)],
  [quirk('unknown-keys', 0.15, withUnknownKeys)],
  [quirk('blanks', 0.2, withBlanks)],
  [quirk('key-spelling', 0.15, withKeySpellings)],
] as const;

export const fieldQuirks = lists.flat();

export const chooseFieldQuirks = (random: Random, name?: string): readonly FieldQuirk[] =>
  lists.flatMap((list) => choose<FieldQuirk>(random, list, name) ?? []);

/** All quirks of a call as one rewrite, and those of its content alone, which the call report has as well. */
export const rewritesBy = (random: Random, quirks: readonly FieldQuirk[], call: PlannedCall, account: Account) => {
  const drawn = quirks.map(({ change, isContent }) => ({ rewrite: change(random, call, account), isContent }));
  const rewriteOf = (some: typeof drawn): Rewrite => composed(some.map(({ rewrite }) => rewrite));

  return { all: rewriteOf(drawn), content: rewriteOf(drawn.filter(({ isContent }) => isContent)) };
};
