import type { Call } from '../floor/call.ts';
import { recordingUrl } from '../summary/summary-of.ts';
import { withTexts } from '../summary/value.ts';
import type { FieldQuirk } from './field-quirk.ts';

const isRecorded = ({ scenario }: Call): boolean => scenario.recorded;

/** Habits with recordings. Where a call has none, none appears. */
export const recordingQuirks = [
  {
    name: 'several-recordings',
    probability: 0.05,
    suits: isRecorded,
    prepare:
      (_, { call }) =>
      (fields) =>
        withTexts(fields, ['AudioFile'], (url) => [url, recordingUrl(call, '2'), recordingUrl(call, '3')].join(',')),
  },
  {
    name: 'repeated-recording',
    probability: 0.04,
    suits: isRecorded,
    prepare: () => (fields) => withTexts(fields, ['AudioFile'], (url) => [url, url].join(',')),
  },
  {
    name: 'http-recording',
    probability: 0.05,
    suits: isRecorded,
    prepare: () => (fields) =>
      withTexts(fields, ['AudioFile', 'CallerConfAudioFile'], (url) => url.replaceAll('https:', 'http:')),
  },
  {
    name: 'conference-recordings',
    probability: 0.02,
    suits: isRecorded,
    prepare:
      (_, { call }) =>
      (fields) => ({
        ...fields,
        CallerConfAudioFile: ['conference-1', 'conference-2'].map((name) => recordingUrl(call, name)).join(' -> '),
      }),
  },
] as const satisfies readonly FieldQuirk[];
