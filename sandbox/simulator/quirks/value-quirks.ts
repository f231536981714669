import type { Call } from '../floor/call.ts';
import { between, digitsOf, shuffled } from '../random.ts';
import {
  bareNumber,
  type FieldQuirk,
  type Fields,
  formatDuration,
  localTime,
  parseDuration,
  recordingUrl,
  type Value,
  withTexts,
} from '../summary.ts';

const isRecorded = ({ scenario }: Call): boolean => scenario.recorded;

/** Quirks of recordings. They apply only to calls that have one. */
export const recordingQuirks = [
  {
    name: 'several-recordings',
    probability: 0.05,
    isContent: true,
    appliesTo: isRecorded,
    prepare:
      (_, { call }) =>
      (fields) =>
        withTexts(fields, ['AudioFile'], (url) => [url, recordingUrl(call, '2'), recordingUrl(call, '3')].join(',')),
  },
  {
    name: 'repeated-recording',
    probability: 0.04,
    isContent: true,
    appliesTo: isRecorded,
    prepare: () => (fields) => withTexts(fields, ['AudioFile'], (url) => [url, url].join(',')),
  },
  {
    name: 'http-recording',
    probability: 0.05,
    isContent: true,
    appliesTo: isRecorded,
    prepare: () => (fields) =>
      withTexts(fields, ['AudioFile', 'CallerConfAudioFile'], (url) => url.replaceAll('https:', 'http:')),
  },
  {
    name: 'conference-recordings',
    probability: 0.02,
    isContent: true,
    appliesTo: isRecorded,
    prepare:
      (_, { call }) =>
      (fields) => ({
        ...fields,
        CallerConfAudioFile: ['conference-1', 'conference-2'].map((name) => recordingUrl(call, name)).join(' -> '),
      }),
  },
] as const satisfies readonly FieldQuirk[];

/** Lengths observed in production, in characters. The contract allows 500, 500 and 20. */
const observedLengths = { AudioFile: 783, CallerConfAudioFile: 571, AgentUniqueID: 25 } as const;

/** Values longer than the contract allows. */
export const overLongQuirk = {
  name: 'over-long',
  probability: 0.02,
  isContent: true,
  prepare: (random, { call }) => {
    const uniqueId = digitsOf(random, observedLengths.AgentUniqueID);

    return (fields) =>
      withTexts(
        {
          ...withTexts(fields, ['AudioFile'], (url) => padded(url, observedLengths.AudioFile)),
          CallerConfAudioFile: padded(recordingUrl(call, 'conference-1'), observedLengths.CallerConfAudioFile),
        },
        ['AgentUniqueID'],
        () => uniqueId,
      );
  },
} as const satisfies FieldQuirk;

const padded = (url: string, length: number): string => `${url}?token=`.padEnd(length, 'x');

/** All formats of a duration other than `HH:MM:SS`. */
const durationFormats: readonly ((seconds: number) => Value)[] = [
  () => '',
  (seconds) => formatDuration(seconds).slice(3),
  (seconds) => String(seconds),
  (seconds) => bareNumber(String(seconds)),
];

const durationKeys = [
  'CallDuration',
  'Duration',
  'TimeToAnswer',
  'ConfDuration',
  'HoldDuration',
  'WrapUpDuration',
] as const;

export const durationQuirks = [
  {
    name: 'duration-formats',
    probability: 0.08,
    prepare: (random) => {
      // Every answered call has four of these durations. Each gets another format, so that all formats occur.
      const drawn = shuffled(random, durationFormats);

      return (fields) =>
        durationKeys.reduce((changed: Fields, key, index) => {
          const format = drawn[index % drawn.length] ?? String;
          return withTexts(changed, [key], (clock) => format(parseDuration(clock)));
        }, fields);
    },
  },
  {
    name: 'long-conference',
    probability: 0.02,
    isContent: true,
    prepare:
      (_, { call }) =>
      (fields) => ({ ...fields, ConfDuration: formatDuration(call.ringSeconds + call.talkSeconds + 45) }),
  },
] as const satisfies readonly FieldQuirk[];

const timeKeys = ['StartTime', 'EndTime'] as const;

export const timeQuirks = [
  {
    name: 'time-with-colons',
    probability: 0.03,
    prepare: () => (fields) => withTexts(fields, timeKeys, (time) => time.replaceAll('-', ':')),
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

export const typeQuirks = [
  {
    name: 'numbers-as-text',
    probability: 0.05,
    prepare:
      (_, { call }) =>
      (fields): Fields => ({ ...othersAsText(fields), CallID: call.id, UCID: call.legId }),
  },
  {
    name: 'text-as-numbers',
    probability: 0.05,
    prepare: () => (fields) =>
      withTexts(fields, numericKeys, (text) => (/^[1-9]\d*$/.test(text) ? bareNumber(text) : text)),
  },
] as const satisfies readonly FieldQuirk[];

const numericKeys = ['CallerID', 'Did', 'DID', 'DialedNumber', 'AgentPhoneNumber', 'AgentUniqueID', 'DataUniqueId'];

// The format of the call's own id is another quirk.
const othersAsText = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      value !== null && typeof value === 'object' && key !== 'monitorUCID' ? [key, value.digits] : [key, value],
    ),
  );
