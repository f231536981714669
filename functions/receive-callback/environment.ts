import * as z from 'zod/mini';
import type { ZoneOffsets } from '../../lib/core/time.ts';
import { accountsEnv, callbackSecretEnv, queueUrl, storeEnv, telemetryEnv } from '../adapters/env.ts';

export const receiveCallbackEnv = z.object({
  ...storeEnv().shape,
  ...accountsEnv().shape,
  ...callbackSecretEnv().shape,
  ...telemetryEnv().shape,
  PARKING_QUEUE_URL: queueUrl,
});
export type ReceiveCallbackEnv = z.output<typeof receiveCallbackEnv>;

/** What means the same to `TZ` and to `Intl`. `TZ` also has forms of its own, such as `:UTC` and `AAA+5BBB`. */
const plainName = /^[A-Z][A-Za-z_]*(\/[A-Z][A-Za-z0-9_+-]*)+$/;

const readByDate = new Map<string, boolean>();

/**
 * The offset of a zone by `Date`, while the variable `TZ` has the zone for a moment, as nothing else runs: 0.1 ms, where `Intl`
 * takes 10 ms at first. Undefined for a zone that `Date` does not know, which is left to `Intl`.
 */
export const dateOffsets: ZoneOffsets = (zone, instantMs) => {
  if (!plainName.test(zone)) return undefined;
  const isReadable = readByDate.get(zone) ?? (dateFollowsVariable() && isKnownToDate(zone));
  readByDate.set(zone, isReadable);
  return isReadable ? offsetIn(zone, instantMs) : undefined;
};

const hourMs = 3_600_000;
const winter = Date.UTC(2026, 0, 15);
const summer = Date.UTC(2026, 6, 15);

/** `Date` reads an unknown zone as UTC, so a zone that is always at UTC counts as unknown. */
const isKnownToDate = (zone: string): boolean => [winter, summer].some((ms) => offsetIn(zone, ms) !== 0);

/** In a worker thread a changed `TZ` has no effect. Two zones are tried, as the process may have one of them already. */
const dateFollowsVariable = (): boolean =>
  offsetIn('Etc/GMT+11', winter) === -11 * hourMs && offsetIn('Etc/GMT-11', winter) === 11 * hourMs;

const offsetIn = (zone: string, instantMs: number): number => {
  const own = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    const date = new Date(instantMs);
    // Not `Date.UTC`, which takes the year 99 for 1999.
    const shown = new Date(0);
    shown.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate());
    return shown.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds()) - instantMs;
  } finally {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  }
};
