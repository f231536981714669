import { readAccounts } from '../../lib/account/account.ts';
import { type AccountBook, accountBook } from '../../lib/account/account-book.ts';
import { refusePlaceholder } from '../../lib/account/placeholder.ts';
import { tellAccountsFault } from '../../lib/account/tell-accounts-fault.ts';
import type { Accounts, Clock, Telemetry } from '../../lib/ports.ts';
import { tellable } from '../../lib/tellable.ts';

/** How long the accounts are used before they are read again, so that a withdrawn key stops working. */
const maxAgeMs = 5 * 60_000;

/** How often an unknown key may have them read again: a stranger who guesses keys must not cost anything. */
const minRefreshMs = 30_000;

/** For so long a failure stands where there are no accounts: strangers who post must not have them read each time. */
const failureMs = 1_000;

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
  let failure: unknown;

  const age = () => clock().getTime() - triedAt;

  const read = async (): Promise<AccountBook> => {
    triedAt = clock().getTime();
    const json = await readJson();
    refusePlaceholder(json);
    const accounts = readAccounts(json, timeZone);
    if (!accounts.ok) throw tellable(`The accounts are not usable: ${accounts.problem}`);
    book = accountBook(accounts.value);
    return book;
  };

  const firstBook = async (): Promise<AccountBook> => {
    if (failure !== undefined && age() < failureMs) throw failure;
    return read().catch((error: unknown) => {
      failure = error;
      throw error;
    });
  };

  const readIfOlderThan = async (ageMs: number): Promise<AccountBook> => {
    if (book === undefined) return firstBook();
    if (age() < ageMs) return book;
    const last = book;
    return read().catch((error: unknown) => {
      tellAccountsFault(telemetry, 'AccountsOutdated', error);
      return last;
    });
  };

  return { current: () => readIfOlderThan(maxAgeMs), refreshed: () => readIfOlderThan(minRefreshMs) };
};
