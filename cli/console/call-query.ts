import type { OtherSpellings } from '../../lib/client/index.ts';
import { justBefore, localDate } from '../../lib/core/time.ts';
import { accountDay } from '../asked-days.ts';
import type { CallFilters } from '../call-filters.ts';
import { listOf } from '../call-list.ts';
import { rejectIfHidden, type ShownAccount } from './accounts.ts';
import { keptReadings } from './kept-readings.ts';

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

/** The ranges and numbers of which calls in other spellings are kept, and how long at least. */
const [maxSpellings, leastMs] = [12, 15_000];

/** The calls of a customer in spellings that the index is not asked for. Each call of the range is read for them, so they are kept. */
export const spellingsReader = ({ clock }: Pick<ShownAccount, 'clock'>) => {
  const readings = keptReadings<OtherSpellings>(clock, maxSpellings);
  return ({ account, client }: ShownAccount, number: string, { from, to }: Pick<ShownRange, 'from' | 'to'>) =>
    readings.wanted(`${account} ${from} ${to} ${number}`, leastMs, () => client.otherSpellings(number, { from, to }));
};

export type SpellingsReader = ReturnType<typeof spellingsReader>;

export const listAsked = async (
  account: ShownAccount,
  query: CallQuery,
  { now, spellings }: { readonly now: Date; readonly spellings: SpellingsReader },
) => {
  if (query.customer !== undefined) rejectIfHidden(account);
  const range = await rangeOf(account, query, now);
  const { from, to } = range;
  const others = query.customer === undefined ? undefined : await spellings(account, query.customer, range);
  return { range, list: listOf(account.client, query, { from, to }, others), others };
};
