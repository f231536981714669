import { readAccounts } from '../../lib/account/account.ts';
import { type AccountBook, accountBook } from '../../lib/account/account-book.ts';
import { refusePlaceholder } from '../../lib/account/placeholder.ts';
import { tellUnreadable } from '../../lib/account/tell-unreadable.ts';
import type { Accounts, Clock, Telemetry } from '../../lib/ports.ts';
import { tellable } from '../../lib/tellable.ts';

/** How long the accounts are used before they are read again, so that a withdrawn key stops working. */
const maxAgeMs = 5 * 60_000;

/** How often an unknown key may have them read again: a stranger who guesses keys must not cost anything. */
const minRefreshMs = 30_000;

/** What the accounts are read with; `timeZone` is that of accounts that name none. */
export interface CachedAccountsSettings {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly timeZone?: string;
}

/** Reads the accounts' JSON, and keeps what was read; while they cannot be read again, the last ones serve on. */
export const cachedAccounts = (
  readJson: () => Promise<string>,
  { clock, telemetry, timeZone }: CachedAccountsSettings,
): Accounts => {
  let book: AccountBook | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;

  const read = async (): Promise<AccountBook> => {
    triedAt = clock().getTime();
    const json = await readJson();
    refusePlaceholder(json);
    const accounts = readAccounts(json, timeZone);
    if (!accounts.ok) throw tellable(`The accounts are not usable: ${accounts.problem}`);
    book = accountBook(accounts.value);
    return book;
  };

  const readIfOlderThan = async (ageMs: number): Promise<AccountBook> => {
    if (book === undefined) return read();
    if (clock().getTime() - triedAt < ageMs) return book;
    const last = book;
    return read().catch((error: unknown) => {
      tellUnreadable(telemetry, error);
      return last;
    });
  };

  return { current: () => readIfOlderThan(maxAgeMs), refreshed: () => readIfOlderThan(minRefreshMs) };
};
