import { digitsOf } from '../random.ts';
import { recordingUrl } from '../summary/summary-of.ts';
import { withTexts } from '../summary/value.ts';
import type { FieldQuirk } from './field-quirk.ts';

/** Lengths met in production, in characters; the contract allows 500, 500 and 20. */
const met = { AudioFile: 783, CallerConfAudioFile: 571, AgentUniqueID: 25 } as const;

/** Values longer than the contract allows. */
export const overLongQuirk = {
  name: 'over-long',
  probability: 0.02,
  prepare: (random, { call }) => {
    const uniqueId = digitsOf(random, met.AgentUniqueID);

    return (fields) =>
      withTexts(
        {
          ...withTexts(fields, ['AudioFile'], (url) => padded(url, met.AudioFile)),
          CallerConfAudioFile: padded(recordingUrl(call, 'conference-1'), met.CallerConfAudioFile),
        },
        ['AgentUniqueID'],
        () => uniqueId,
      );
  },
} as const satisfies FieldQuirk;

const padded = (url: string, length: number): string => `${url}?token=`.padEnd(length, 'x');
