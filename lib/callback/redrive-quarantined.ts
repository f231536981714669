import { type Account, type AccountIndex, isSameUser } from '../accounts/accounts.ts';
import { deliveryOf } from '../calls/merge-deliveries.ts';
import { tryParseJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { senderCredentials } from './authenticate-sender.ts';
import { classifyRecords } from './classify-records.ts';
import { type NormalisedRecords, normaliseRecords } from './normalise-records.ts';
import { NotStorable, type QuarantineEntry } from './parked.ts';
import { Form, type Posted, parseEnvelope } from './parse-envelope.ts';
import { quarantineEntry } from './quarantine.ts';
import { type Receipt, receiptOf } from './receive-callback.ts';
import { maxRecords, type RejectionReason } from './rejections.ts';
import { type Outcome, type Stores, store } from './store-or-park.ts';

/** An entry and the id of its row. */
export interface QuarantinedEntry {
  readonly id: string;
  readonly entry: QuarantineEntry;
}

/** Why an entry stays in quarantine. */
export type RedriveProblem = QuarantinedBodyProblem | 'account-not-named' | 'unknown-account' | 'account-mismatch';

/** The ports of a redrive; `remove` deletes an entry from quarantine. */
export interface RedrivePorts extends Stores {
  readonly accounts: AccountIndex;
  readonly remove: (id: string) => Promise<void>;
}

/** How entries are redriven. */
export interface RedriveOptions {
  /** The account of entries that came without one. An entry of another account is a mismatch. */
  readonly account: string | undefined;
  /** Reads and reports only. */
  readonly isDryRun: boolean;
}

/**
 * Stores the records of an entry with the time of their receipt, and only then deletes the entry. After a crash in
 * between, the next attempt finds duplicates. Records that still cannot be processed become entries of their own, as in
 * the receiver. In a dry run `stored` counts the deliveries that would be written. Throws if a table is down.
 */
export const redriveQuarantined =
  (ports: RedrivePorts, { account: givenAccount, isDryRun }: RedriveOptions) =>
  async ({ id, entry }: QuarantinedEntry): Promise<Result<Receipt, RedriveProblem>> => {
    const owner = accountOf(ports.accounts, entry, givenAccount);
    if (!owner.ok) return owner;
    const parsed = parseQuarantined(entry, owner.value, ports.accounts.redact);
    if (!parsed.ok) return parsed;

    const { deliveries, unrecognised } = parsed.value;
    if (isDryRun) return ok({ stored: deliveries.length, duplicates: 0, quarantined: unrecognised.length });

    const outcomes: Outcome[] = [];
    for (const keyed of deliveries) outcomes.push(await store(ports, { kind: 'delivery', ...keyed }, ports.deadline()));
    for (const { reason, text } of unrecognised) {
      const from = { account: owner.value.userName, receivedAt: entry.receivedAt };
      const remaining = quarantineEntry({ reason, ...from, body: ports.accounts.redact(text) });
      outcomes.push(await store(ports, { kind: 'quarantine', entry: remaining }, ports.deadline()));
    }
    const receipt = receiptOf(outcomes);
    // The table rejected the record again. Quarantine has it under the same id, so deleting the entry would lose it.
    if (entry.reason === 'not-storable' && receipt.quarantined > 0) return fail('not-storable');
    await ports.remove(id);
    return ok(receipt);
  };

const accountOf = (accounts: AccountIndex, { account }: QuarantineEntry, givenAccount: string | undefined) => {
  if (account !== undefined && givenAccount !== undefined && !isSameUser(account, givenAccount))
    return fail('account-mismatch' as const);
  const name = account ?? givenAccount;
  if (name === undefined) return fail('account-not-named' as const);
  const owner = accounts.accountNamed(name);
  return owner === undefined ? fail('unknown-account' as const) : ok(owner);
};

/** Why a quarantined body is not stored: for the reason of a rejection, or because quarantine has only a part of it. */
type QuarantinedBodyProblem = RejectionReason | 'body-truncated';

/**
 * Parses a quarantined body by the present rules, as a post of that account. The receiver authenticated the sender, and
 * the keys are gone. User names are still checked, so that no call is stored for another account.
 */
export const parseQuarantined = (
  entry: QuarantineEntry,
  account: Account,
  redact: AccountIndex['redact'],
): Result<NormalisedRecords, QuarantinedBodyProblem> => {
  const { reason, body, bytes, receivedAt } = entry;
  if (bytes !== undefined) return fail('body-truncated');
  // Without the keys nobody can assign the records to their accounts.
  if (reason === 'mixed-accounts') return fail(reason);
  if (reason === 'not-storable') return parseNotStorable(body, account, receivedAt);

  const envelope = parseEnvelope({ content: contentOf(entry), query: {} });
  if (!envelope.ok) return fail(envelope.problem.reason);
  const { records } = envelope.value;
  if (records.length > maxRecords) return fail('too-many-records');

  const classified = classifyRecords(records);
  const { users } = senderCredentials(records, classified, { envelopeKeys: [], hasValidSecret: false });
  if (!users.every((user) => isSameUser(user, account.userName))) return fail('unknown-user');
  const normalised = normaliseRecords(classified, { account, receivedAt, redact });
  const [unrecognised] = normalised.unrecognised;
  return normalised.deliveries.length > 0 ? ok(normalised) : fail(unrecognised?.reason ?? 'no-records');
};

const formReasons = new Set<string>(['body-empty', 'data-missing', 'data-empty', 'data-repeated']);

/** The body of a form without readable content is the JSON of its fields, which are no record. */
const contentOf = ({ reason, body }: QuarantineEntry): Posted['content'] => {
  const form = formReasons.has(reason) ? Form.safeParse(tryParseJson(body)).data : undefined;
  return form === undefined ? { json: body } : { form };
};

/** The body of a record that was too large for a row is already normalised. */
const parseNotStorable = (
  body: string,
  account: Account,
  receivedAt: string,
): Result<NormalisedRecords, QuarantinedBodyProblem> => {
  const record = NotStorable.safeParse(tryParseJson(body));
  if (!record.success) return fail('not-storable');

  const { key, facts, asSent } = record.data;
  if (!isSameUser(key.account, account.userName)) return fail('unknown-user');
  return ok({ deliveries: [{ key, delivery: deliveryOf(facts, { receivedAt, asSent }) }], unrecognised: [] });
};
