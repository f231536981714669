import { claimedKeyIn } from '../callback/mask-keys.ts';
import type { Accounts, Telemetry } from '../ports.ts';
import { fail, ok, type Result } from '../result.ts';
import type { AccountBook } from './account-book.ts';
import { type Claims, checkSender, isOfOurs } from './check-sender.ts';
import { isNotSetUp } from './placeholder.ts';
import { tellAccountsFault } from './tell-accounts-fault.ts';

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
    tellAccountsFault(telemetry, 'AccountsUnreadable', error);
    return fail(isNotSetUp(error) ? 'accounts-not-set-up' : 'accounts-unavailable');
  }
};

/**
 * Who a post comes from, and the accounts by which that was decided. A key that is not known may have been added a
 * moment ago, so they are read once more before it is refused. Where one account alone is refused, the calls of the
 * others hide it: it is counted by itself.
 */
export const senderOf = async (ports: Ports, known: AccountBook, claims: Claims) => {
  const first = checkSender(known, claims);
  const book = !first.ok && first.problem === 'unknown-key' ? await readAgain(ports, known) : known;
  const sender = book === known ? first : checkSender(book, claims);
  if (!sender.ok && isOfOurs(book, claims)) ports.telemetry.count('AccountRefused');
  return { book, sender };
};

const readAgain = ({ accounts, telemetry }: Ports, known: AccountBook): Promise<AccountBook> =>
  accounts.refreshed().catch((error: unknown) => {
    tellAccountsFault(telemetry, 'AccountsOutdated', error);
    return known;
  });

/** Whose text it is that could not be parsed: told by the key in it, or by the secret address if there is one account. */
export const senderOfText = (book: AccountBook, text: string, secretProven: boolean): string | undefined => {
  const key = claimedKeyIn(text);
  const account = key === undefined ? undefined : book.ownerOf(key);
  return (account ?? (secretProven ? book.named(undefined) : undefined))?.userName;
};
