import type { CallRange } from '../call-lists.ts';
import { instantFrom } from './instant-from.ts';

/** A range by instants as rows hold them; either end may be open. */
export interface InstantRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Throws a TypeError if an end is no instant, and a RangeError if the range ends before it begins. */
export const rangeFrom = ({ from, to }: CallRange): InstantRange => {
  const range = {
    from: from === undefined ? undefined : instantFrom('from', from),
    to: to === undefined ? undefined : instantFrom('to', to),
  };
  if (range.from !== undefined && range.to !== undefined && range.from > range.to)
    throw new RangeError('from, to: expected a range that does not end before it begins.');
  return range;
};
