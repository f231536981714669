import { claimedKeyIn } from '../callback/mask-keys.ts';
import type { Accounts, Telemetry } from '../ports.ts';
import { fail, ok, type Result } from '../result.ts';
import type { AccountBook } from './account-book.ts';
import { type Claims, checkSender } from './check-sender.ts';
import { isNotSetUp } from './placeholder.ts';
import { tellUnreadable } from './tell-unreadable.ts';

interface Ports {
  readonly accounts: Accounts;
  readonly telemetry: Telemetry;
}

/** Why there are no accounts by which a sender could be known. */
export type AccountsProblem = 'accounts-not-set-up' | 'accounts-unavailable';

/** The accounts as they are known now. */
export const knownAccounts = async ({ accounts, telemetry }: Ports): Promise<Result<AccountBook, AccountsProblem>> => {
  try {
    return ok(await accounts.current());
  } catch (error) {
    tellUnreadable(telemetry, error);
    return fail(isNotSetUp(error) ? 'accounts-not-set-up' : 'accounts-unavailable');
  }
};

/**
 * Who a post comes from, and the accounts by which that was decided. A key that is not known may have been added a
 * moment ago, so they are read once more before it is refused.
 */
export const senderOf = async ({ accounts, telemetry }: Ports, book: AccountBook, claims: Claims) => {
  const sender = checkSender(book, claims);
  if (sender.ok || sender.problem !== 'unknown-key') return { book, sender };

  const fresh = await accounts.refreshed().catch((error: unknown) => {
    tellUnreadable(telemetry, error);
    return book;
  });
  return { book: fresh, sender: checkSender(fresh, claims) };
};

/** Whose text it is that could not be parsed: told by the key in it, or by the secret address if there is one account. */
export const senderOfText = (book: AccountBook, text: string, secretProven: boolean): string | undefined => {
  const key = claimedKeyIn(text);
  const account = key === undefined ? undefined : book.ownerOf(key);
  return (account ?? (secretProven ? book.named(undefined) : undefined))?.userName;
};
