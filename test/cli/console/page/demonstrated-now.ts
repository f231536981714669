import type { Account } from '../../../../lib/accounts/accounts.ts';
import { addDays, localDate } from '../../../../lib/core/time.ts';
import { createCalendar, daysBefore } from '../../../../sandbox/demo/calendar.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The zone whose clock shows eleven: the contact centre has its busiest hours then, and two calls an hour at night. */
export const zoneOfBusyHours = (now: number): string => {
  const east = 11 - new Date(now).getUTCHours();
  // The names of these zones have the sign of what is to be added to their time.
  if (east === 0) return 'Etc/GMT';
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
};

/** What a demonstration that starts at an instant is to have, by the plan that it follows. */
export const demonstratedNow = (account: Account, startedAt: number) => {
  const startedOn = localDate(new Date(startedAt).toISOString(), account.timeZone);
  const calendar = createCalendar({ seed: 1, startedOn, account });
  const before = new Set(calendar.postsBetween(startedAt - 6 * hour, startedAt).map(({ callId }) => callId));
  const nextCall = calendar.postsBetween(startedAt, startedAt + hour).find(({ callId }) => !before.has(callId));
  if (nextCall === undefined) throw new Error('No call is planned for the next hour.');
  return { nextCall, oldestDay: addDays(startedOn, -daysBefore) };
};
