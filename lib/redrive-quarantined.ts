import { type AccountBook, isSameUser } from './account/account-book.ts';
import { type QuarantineEntry, quarantineEntry } from './callback/quarantine-entry.ts';
import { readKept, type StillKept } from './callback/read-kept.ts';
import { type Receipt, receiptOf } from './callback/receipt.ts';
import { fail, ok, type Result } from './result.ts';
import { type Outcome, type Stores, store } from './store-or-park.ts';

/** An entry, and the id of its row. */
export interface KeptEntry {
  readonly id: string;
  readonly entry: QuarantineEntry;
}

/** Why an entry stays: it is not understood, or it cannot be told whose it is. */
export type Stays = StillKept | 'account-not-named' | 'account-not-known' | 'account-is-another';

/** What redriving needs; `remove` takes an entry out of quarantine. */
export interface RedrivePorts extends Stores {
  readonly accounts: AccountBook;
  readonly remove: (id: string) => Promise<void>;
}

/** How entries are redriven. */
export interface RedriveOptions {
  /** Whose the entries are that came without an account; others must be theirs. */
  readonly account: string | undefined;
  /** Reads and tells, and writes nothing. */
  readonly isDryRun: boolean;
}

/**
 * Stores what a kept body says, with the time at which it was received, and only then takes it out of quarantine: a crash
 * in between makes duplicates of the next try. Records of it that are still not understood are kept each on its own, as
 * the receiver does. In a dry run `stored` counts what would be handed to the tables. Throws if a table is down.
 */
export const redriveQuarantined =
  (ports: RedrivePorts, { account: named, isDryRun }: RedriveOptions) =>
  async ({ id, entry }: KeptEntry): Promise<Result<Receipt, Stays>> => {
    const owner = ownerOf(ports.accounts, entry, named);
    if (!owner.ok) return owner;
    const kept = readKept(entry, owner.value, ports.accounts.masked);
    if (!kept.ok) return kept;

    const { deliveries, misunderstood } = kept.value;
    if (isDryRun) return ok({ stored: deliveries.length, duplicates: 0, quarantined: misunderstood.length });

    const outcomes: Outcome[] = [];
    for (const keyed of deliveries) outcomes.push(await store(ports, { kind: 'delivery', ...keyed }, ports.deadline()));
    for (const { reason, value } of misunderstood) {
      const part = { reason, account: owner.value.userName, receivedAt: entry.receivedAt };
      const rest = quarantineEntry({ ...part, body: ports.accounts.masked(JSON.stringify(value)) });
      outcomes.push(await store(ports, { kind: 'quarantine', entry: rest }, ports.deadline()));
    }
    const receipt = receiptOf(outcomes);
    if (entry.reason === 'not-storable' && receipt.quarantined > 0) return fail('not-storable');
    await ports.remove(id);
    return ok(receipt);
  };

const ownerOf = (accounts: AccountBook, { account }: QuarantineEntry, named: string | undefined) => {
  if (account !== undefined && named !== undefined && !isSameUser(account, named))
    return fail('account-is-another' as const);
  const name = account ?? named;
  if (name === undefined) return fail('account-not-named' as const);
  const owner = accounts.named(name);
  return owner === undefined ? fail('account-not-known' as const) : ok(owner);
};
