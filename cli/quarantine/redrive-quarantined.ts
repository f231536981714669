import type { AccountIndex } from '../../lib/accounts/account-index.ts';
import { type Account, isSameUser } from '../../lib/accounts/accounts.ts';
import { userNamesIn } from '../../lib/callback/authenticate-sender.ts';
import { classifyRecords } from '../../lib/callback/classify-records.ts';
import { keyFieldOf } from '../../lib/callback/json-content.ts';
import { type NormalisedRecords, normaliseRecords } from '../../lib/callback/normalise-records.ts';
import { formOf, isForm, type Posted, parseEnvelope, withoutLimits } from '../../lib/callback/parse-envelope.ts';
import { countsOf, type Outcome, type RecordCounts, type RejectionReason } from '../../lib/callback/reply.ts';
import { notStorableIn, type QuarantineEntry } from '../../lib/callback/schema.ts';
import { bodyOf, isTruncated, quarantineEntry, type Stores, store } from '../../lib/callback/store-or-park.ts';
import { deliveryOf } from '../../lib/calls/merge-deliveries.ts';
import { compressText, decompressText } from '../../lib/core/encoding.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { factsOfText } from '../renormalise/renormalise-row.ts';

export interface QuarantinedEntry {
  readonly id: string;
  readonly entry: QuarantineEntry;
}

export type RedriveProblem = QuarantinedBodyProblem | QuarantinedSenderProblem;

export interface RedrivePorts extends Stores {
  readonly accounts: AccountIndex;
  readonly remove: (id: string) => Promise<void>;
}

export interface RedriveOptions {
  /** The account of entries whose sender is not known. An entry of another account is a mismatch. */
  readonly account: string | undefined;
  readonly isDryRun: boolean;
}

/**
 * Stores the records of an entry with the time of their receipt, and only then deletes the entry. After a crash in
 * between, the next attempt finds duplicates. Records that still cannot be processed become entries of their own, as in
 * the receiver. In a dry run `stored` counts the deliveries that would be written. Throws if a table is down.
 */
export const redriveQuarantined =
  (ports: RedrivePorts, { account: givenAccount, isDryRun }: RedriveOptions) =>
  async ({ id, entry }: QuarantinedEntry): Promise<Result<RecordCounts, RedriveProblem>> => {
    const body = readBody(entry);
    if (!body.ok) return body;
    const owner = accountOfEntry(ports.accounts, entry, body.value.users, givenAccount);
    if (!owner.ok) return owner;
    const parsed = normalisedFor(body.value, owner.value, ports.accounts.redact);
    if (!parsed.ok) return parsed;

    const { deliveries, unrecognised } = parsed.value;
    if (isDryRun) return ok({ stored: deliveries.length, duplicates: 0, quarantined: unrecognised.length });

    const outcomes: Outcome[] = [];
    for (const keyed of deliveries) outcomes.push(await store(ports, { kind: 'delivery', ...keyed }, ports.deadline()));
    for (const { reason, text } of unrecognised) {
      const from = { account: owner.value.userName, receivedAt: entry.receivedAt, keyField: body.value.keyField };
      const redacted = ports.accounts.redact(text);
      const remaining = quarantineEntry({ reason, ...from, body: redacted, carriedAs: 'json' });
      outcomes.push(await store(ports, { kind: 'quarantine', entry: remaining }, ports.deadline()));
    }
    const counts = countsOf(outcomes);
    // The table rejected the record again. Quarantine has it under the same id, so deleting the entry would lose it.
    if (entry.reason === 'not-storable' && counts.quarantined > 0) return fail('not-storable');
    await ports.remove(id);
    return ok(counts);
  };

/** Reasons that stay whatever a later release can read: the entry lacks what is needed, or the table rejects it. */
const lasting: readonly string[] = ['mixed-accounts', 'not-storable'];

/** Whether today's rules find a storable call in an entry, whosever it is; an earlier release may have found none. */
export const callIn = (entry: QuarantineEntry): 'found' | 'unclear' | 'none' => {
  const envelope = isTruncated(entry) ? undefined : parsedBody(entry);
  if (!envelope?.ok) return 'unclear';
  const { calls, participants, unrecognised } = classifyRecords(envelope.value.records);
  if (calls.length + participants.length > 0) return lasting.includes(entry.reason) ? 'unclear' : 'found';
  return unrecognised.every(({ reason }) => reason === 'not-a-call-summary') ? 'none' : 'unclear';
};

/** An operator waits for it, so neither the size of a body nor the number of its records is limited. */
const parsedBody = (entry: QuarantineEntry) =>
  parseEnvelope({ content: contentOf(entry, bodyOf(entry)), query: {} }, withoutLimits);

type QuarantinedBodyProblem = RejectionReason | 'body-truncated';

interface QuarantinedBody extends Pick<QuarantineEntry, 'keyField'> {
  readonly users: readonly string[];
  readonly normalise: (account: Account, redact: AccountIndex['redact']) => NormalisedRecords;
}

const readBody = (entry: QuarantineEntry): Result<QuarantinedBody, QuarantinedBodyProblem> => {
  const { reason, receivedAt } = entry;
  if (isTruncated(entry)) return fail('body-truncated');
  if (reason === 'not-storable') return readNotStorable(bodyOf(entry), receivedAt);

  const envelope = parsedBody(entry);
  if (!envelope.ok) return fail(envelope.problem.reason);
  const { records, sent, envelopeKeys } = envelope.value;

  const classified = classifyRecords(records);
  const keyField = entry.keyField ?? keyFieldOf(envelopeKeys);
  const posted = { text: sent.text, keyField };
  return ok({
    keyField,
    users: userNamesIn(classified),
    normalise: (account, redact) => normaliseRecords(classified, { account, receivedAt, redact, posted }),
  });
};

/** The records as ones of an account. User names are checked, so that no call is stored for another account. */
const normalisedFor = (
  { users, normalise }: QuarantinedBody,
  account: Account,
  redact: AccountIndex['redact'],
): Result<NormalisedRecords, RejectionReason> => {
  if (!users.every((user) => isSameUser(user, account.userName))) return fail('unknown-user');
  const normalised = normalise(account, redact);
  const [unrecognised] = normalised.unrecognised;
  return normalised.deliveries.length > 0 ? ok(normalised) : fail(unrecognised?.reason ?? 'no-records');
};

const contentOf = ({ reason, carriedAs = carriedBefore(reason) }: QuarantineEntry, body: string): Posted['content'] => {
  if (carriedAs === 'unread' && !isLikeJson(body)) return { form: formOf(body) };
  const form = carriedAs === 'form' ? tryParseJson(body) : undefined;
  return isForm(form) ? { form } : { json: body };
};

/** What was not read may be a form, JSON of an unknown type, or something else. */
const isLikeJson = (body: string): boolean => /^[\s\uFEFF]*[[{"]/.test(body);

/** How an entry of version 1.0 was carried, as its reason shows it: such an entry does not say so itself. */
const carriedBefore = (reason: string): QuarantineEntry['carriedAs'] => {
  if (reason === 'too-many-fields' || reason === 'unsupported-content-type') return 'unread';
  return ['body-empty', 'data-missing', 'data-empty', 'data-repeated'].includes(reason) ? 'form' : 'json';
};

/** The body of a record that was too large for a row has its key, as its place in the post may have named it. */
const readNotStorable = (body: string, receivedAt: string): Result<QuarantinedBody, QuarantinedBodyProblem> => {
  const record = notStorableIn(body);
  if (record === undefined) return fail('not-storable');

  const { key } = record;
  const text = 'text' in record ? record.text : decompressText(record.asSent);
  const normalise = (account: Account): NormalisedRecords => {
    const facts = factsOfText(key.kind, { text, source: undefined }, account);
    if (facts === undefined) return { deliveries: [], unrecognised: [{ reason: 'not-storable', text }] };
    return {
      deliveries: [
        { key, delivery: deliveryOf(facts, { receivedAt, asSent: compressText(text), country: account.country }) },
      ],
      unrecognised: [],
    };
  };
  return ok({ users: [key.account], normalise });
};

type QuarantinedSenderProblem =
  | 'unknown-key'
  | 'mixed-accounts'
  | 'unknown-account'
  | 'account-mismatch'
  | 'account-not-named';

/**
 * The account of a quarantined post by the present accounts: the owner of its keys, which have fingerprints, or the
 * account that was authenticated. Without either, the user names of a post to the secret address decide. An operator
 * who names an account decides only where none of these contradicts.
 */
export const accountOfEntry = (
  accounts: AccountIndex,
  { reason, account, viaSecret, keyFingerprints = [] }: QuarantineEntry,
  users: readonly string[],
  given: string | undefined,
): Result<Account, QuarantinedSenderProblem> => {
  const owners = keyFingerprints.map(accounts.accountForFingerprint);
  const keyed = new Set(owners.filter((owner) => owner !== undefined));
  // Entries of earlier versions have no fingerprints, so nobody can assign their records to accounts.
  if (keyed.size > 1 || (reason === 'mixed-accounts' && owners.length === 0)) return fail('mixed-accounts');

  const [proven] = [...keyed, ...(account === undefined ? [] : [accounts.accountNamed(account)])];
  if (given !== undefined) {
    if (proven !== undefined && !isSameUser(proven.userName, given)) return fail('account-mismatch');
    return named(accounts, given);
  }
  if (owners.includes(undefined)) return fail('unknown-key');
  if (proven !== undefined) return ok(proven);
  if (account !== undefined) return fail('unknown-account');
  const byUser = viaSecret === undefined ? undefined : accounts.accountNamed(users[0]);
  return byUser === undefined ? fail('account-not-named') : ok(byUser);
};

const named = (accounts: AccountIndex, name: string): Result<Account, 'unknown-account'> => {
  const account = accounts.accountNamed(name);
  return account === undefined ? fail('unknown-account') : ok(account);
};
