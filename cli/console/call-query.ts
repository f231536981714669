import { justBefore, localDate } from '../../lib/core/time.ts';
import { accountDay } from '../asked-days.ts';
import type { CallFilters } from '../call-filters.ts';
import { listOf } from '../call-list.ts';
import { rejectIfHidden, type ShownAccount } from './accounts.ts';

/** Which calls are listed: of a day or from one instant to another, up to a moment, by filters. */
export interface CallQuery extends CallFilters {
  readonly day: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly at?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The days of a list, its first and last instant, and the past moment that it shows, if any. */
export const rangeOf = async (account: ShownAccount, { day: asked, from, to, at }: CallQuery, now: Date) => {
  const { timeZone } = account;
  const { day, ...whole } = await accountDay(
    account,
    { day: from === undefined ? asked : localDate(from, timeZone), timeZone },
    now,
  );
  const [start, last] = [from ?? whole.start, to ?? justBefore(whole.end)];
  // A moment before them leaves nothing.
  const moment = at === undefined || at > start ? at : start;
  const end = moment === undefined || moment > last ? last : moment;
  return {
    ...{ days: { from: day, to: localDate(end, timeZone) }, from: start, to: end },
    asOf: moment !== undefined && moment < now.toISOString() ? moment : undefined,
  };
};

export type ShownRange = Awaited<ReturnType<typeof rangeOf>>;

export const listAsked = async (account: ShownAccount, query: CallQuery, now: Date) => {
  if (query.customer !== undefined) rejectIfHidden(account);
  const range = await rangeOf(account, query, now);
  const { from, to } = range;
  return { range, list: listOf(account.client, query, { from, to }) };
};
