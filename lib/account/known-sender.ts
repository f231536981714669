import { claimedKeyIn } from '../callback/mask-keys.ts';
import type { Accounts, Telemetry } from '../ports.ts';
import type { AccountBook } from './account-book.ts';
import { type Claims, checkSender } from './check-sender.ts';

interface Ports {
  readonly accounts: Accounts;
  readonly telemetry: Telemetry;
}

/** The accounts as they are known now, or undefined if they cannot be read. */
export const knownAccounts = ({ accounts, telemetry }: Ports): Promise<AccountBook | undefined> =>
  accounts.current().catch((error: unknown) => untold(telemetry, error));

/**
 * Who a post comes from, and the accounts by which that was decided. A key that is not known may have been added a
 * moment ago, so they are read once more before it is refused.
 */
export const senderOf = async ({ accounts, telemetry }: Ports, book: AccountBook, claims: Claims) => {
  const sender = checkSender(book, claims);
  if (sender.ok || sender.problem !== 'unknown-key') return { book, sender };

  const fresh = (await accounts.refreshed().catch((error: unknown) => untold(telemetry, error))) ?? book;
  return { book: fresh, sender: checkSender(fresh, claims) };
};

/** Whose text it is that could not be parsed: told by the key in it, or by the secret address if there is one account. */
export const senderOfText = (book: AccountBook, text: string, secretProven: boolean): string | undefined => {
  const key = claimedKeyIn(text);
  const account = key === undefined ? undefined : book.ownerOf(key);
  return (account ?? (secretProven ? book.named(undefined) : undefined))?.userName;
};

const untold = (telemetry: Telemetry, error: unknown): undefined => {
  telemetry.fault('accounts', error);
  return undefined;
};
