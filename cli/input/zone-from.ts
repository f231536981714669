import { InvalidArgumentError } from 'commander';
import { isTimeZone } from '../../lib/time/time-zone.ts';

/** A time zone, as it was typed. */
export const zoneFrom = (typed: string): string => {
  if (isTimeZone(typed)) return typed;
  throw new InvalidArgumentError('Expected an IANA time zone such as Asia/Kolkata.');
};
