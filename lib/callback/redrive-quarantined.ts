import { type AccountIndex, isSameUser } from '../accounts/account-index.ts';
import type { Account } from '../accounts/accounts.ts';
import { redactedText } from '../accounts/redact-secrets.ts';
import { deliveryOf } from '../calls/delivery.ts';
import { isJsonObject, type Json, tryParseJson } from '../core/parse-json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { senderCredentials } from './authenticate-sender.ts';
import { classifyRecords } from './classify-records.ts';
import { type NormalisedRecords, normaliseRecords } from './normalise-records.ts';
import { NotStorable } from './parked.ts';
import { Form, type Posted, parseEnvelope } from './parse-envelope.ts';
import { type QuarantineEntry, quarantineEntry } from './quarantine.ts';
import { type Receipt, receiptOf } from './receive-callback.ts';
import { maxRecords, type RejectionReason } from './rejections.ts';
import { type Outcome, type Stores, store } from './store-or-park.ts';

/** Why a kept body is not stored: as a post would be refused, or it was cut when it was kept. */
export type QuarantinedBodyProblem = RejectionReason | 'body-truncated';

/**
 * What a body that was kept says by today's rules, as that account. Who sent it was checked when it came, and the keys are
 * gone; names of users are still looked at, so that nobody's calls get among another's.
 */
export const parseQuarantined = (
  entry: QuarantineEntry,
  account: Account,
  masked: AccountIndex['redact'],
): Result<NormalisedRecords, QuarantinedBodyProblem> => {
  const { reason, body, bytes, receivedAt } = entry;
  if (bytes !== undefined) return fail('body-truncated');
  // Which of its records are whose can no longer be told.
  if (reason === 'mixed-accounts') return fail(reason);
  if (reason === 'not-storable') return parseNotStorable(body, account, receivedAt);

  const opened = parseEnvelope({ content: contentOf(entry), query: {} });
  if (!opened.ok) return fail(opened.problem.reason);
  const { value } = opened.value;
  const records = (Array.isArray(value) ? value : [value]).map(withoutRedactedKeys);
  if (records.length > maxRecords) return fail('too-many-records');

  const recognised = classifyRecords(records);
  const { users } = senderCredentials(records, recognised, { envelopeKeys: [], hasValidSecret: false });
  if (!users.every((user) => isSameUser(user, account.userName))) return fail('unknown-user');
  const said = normaliseRecords(recognised, { account, receivedAt, redact: masked });
  return said.deliveries.length > 0 ? ok(said) : fail(said.unrecognised[0]?.reason ?? 'no-records');
};

const formReasons = new Set<string>(['body-empty', 'data-missing', 'data-empty', 'data-repeated']);

/** A form without content that could be read was kept as the JSON of its fields: these are no record's. */
const contentOf = ({ reason, body }: QuarantineEntry): Posted['content'] => {
  const form = formReasons.has(reason) ? Form.safeParse(tryParseJson(body)).data : undefined;
  return form === undefined ? { json: body } : { form };
};

/** A record that no row could hold was kept as it was to be stored. */
const parseNotStorable = (
  body: string,
  account: Account,
  receivedAt: string,
): Result<NormalisedRecords, QuarantinedBodyProblem> => {
  const record = NotStorable.safeParse(tryParseJson(body));
  if (!record.success) return fail('not-storable');

  const { facts, ...key } = record.data;
  if (!isSameUser(key.account, account.userName)) return fail('unknown-user');
  return ok({ deliveries: [{ key, delivery: deliveryOf(facts, receivedAt) }], unrecognised: [] });
};

const isLikeKey = (name: string): boolean => /api[_-]?key\W*$/i.test(name);

/** Whatever is named like a key was masked, be it ours or not: the mask is no value of that field. */
const withoutRedactedKeys = (record: Json): Json =>
  isJsonObject(record)
    ? Object.fromEntries(Object.entries(record).filter(([name, value]) => !(isLikeKey(name) && value === redactedText)))
    : record;

/** An entry, and the id of its row. */
export interface QuarantinedEntry {
  readonly id: string;
  readonly entry: QuarantineEntry;
}

/** Why an entry stays: it is not understood, or it cannot be told whose it is. */
export type RedriveProblem = QuarantinedBodyProblem | 'account-not-named' | 'unknown-account' | 'account-mismatch';

/** What redriving needs; `remove` takes an entry out of quarantine. */
export interface RedrivePorts extends Stores {
  readonly accounts: AccountIndex;
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
  async ({ id, entry }: QuarantinedEntry): Promise<Result<Receipt, RedriveProblem>> => {
    const owner = accountOf(ports.accounts, entry, named);
    if (!owner.ok) return owner;
    const kept = parseQuarantined(entry, owner.value, ports.accounts.redact);
    if (!kept.ok) return kept;

    const { deliveries, unrecognised } = kept.value;
    if (isDryRun) return ok({ stored: deliveries.length, duplicates: 0, quarantined: unrecognised.length });

    const outcomes: Outcome[] = [];
    for (const keyed of deliveries) outcomes.push(await store(ports, { kind: 'delivery', ...keyed }, ports.deadline()));
    for (const { reason, value } of unrecognised) {
      const part = { reason, account: owner.value.userName, receivedAt: entry.receivedAt };
      const rest = quarantineEntry({ ...part, body: ports.accounts.redact(JSON.stringify(value)) });
      outcomes.push(await store(ports, { kind: 'quarantine', entry: rest }, ports.deadline()));
    }
    const receipt = receiptOf(outcomes);
    if (entry.reason === 'not-storable' && receipt.quarantined > 0) return fail('not-storable');
    await ports.remove(id);
    return ok(receipt);
  };

const accountOf = (accounts: AccountIndex, { account }: QuarantineEntry, named: string | undefined) => {
  if (account !== undefined && named !== undefined && !isSameUser(account, named))
    return fail('account-mismatch' as const);
  const name = account ?? named;
  if (name === undefined) return fail('account-not-named' as const);
  const owner = accounts.accountNamed(name);
  return owner === undefined ? fail('unknown-account' as const) : ok(owner);
};
