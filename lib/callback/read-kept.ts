import type { Account } from '../account/account.ts';
import { type AccountBook, isSameUser } from '../account/account-book.ts';
import { isJsonObject, type Json } from '../json/parse-json.ts';
import { parsed } from '../json/parsed.ts';
import { deliveryOf } from '../record/delivery.ts';
import { fail, ok, type Result } from '../result.ts';
import { claimsOf } from './claims-of.ts';
import { type Deliveries, deliveriesOf } from './deliveries-of.ts';
import { Form } from './form.ts';
import { mask } from './mask-keys.ts';
import { openEnvelope, type Posted } from './open-envelope.ts';
import { NotStorable } from './parked.ts';
import type { QuarantineEntry } from './quarantine-entry.ts';
import { recognise } from './recognise.ts';
import { maxRecords, type RefusalReason } from './refusal.ts';

/** Why a kept body is not stored: as a post would be refused, or it was cut when it was kept. */
export type StillKept = RefusalReason | 'body-cut';

/**
 * What a body that was kept says by today's rules, as that account. Who sent it was checked when it came, and the keys are
 * gone; names of users are still looked at, so that nobody's calls get among another's.
 */
export const readKept = (
  entry: QuarantineEntry,
  account: Account,
  masked: AccountBook['masked'],
): Result<Deliveries, StillKept> => {
  const { reason, body, bytes, receivedAt } = entry;
  if (bytes !== undefined) return fail('body-cut');
  // Which of its records are whose can no longer be told.
  if (reason === 'mixed-accounts') return fail(reason);
  if (reason === 'not-storable') return normalised(body, account, receivedAt);

  const opened = openEnvelope({ content: contentOf(entry), query: {} });
  if (!opened.ok) return fail(opened.problem.reason);
  const { value } = opened.value;
  const records = (Array.isArray(value) ? value : [value]).map(withoutMaskedKeys);
  if (records.length > maxRecords) return fail('too-many-records');

  const recognised = recognise(records);
  const { users } = claimsOf(records, recognised, { keysBeside: [], secretProven: false });
  if (!users.every((user) => isSameUser(user, account.userName))) return fail('unknown-user');
  const said = deliveriesOf(recognised, { account, receivedAt, masked });
  return said.deliveries.length > 0 ? ok(said) : fail(said.misunderstood[0]?.reason ?? 'no-records');
};

const ofForms = new Set<string>(['body-empty', 'data-missing', 'data-empty', 'data-repeated']);

/** A form without content that could be read was kept as the JSON of its fields: these are no record's. */
const contentOf = ({ reason, body }: QuarantineEntry): Posted['content'] => {
  const form = ofForms.has(reason) ? Form.safeParse(parsed(body)).data : undefined;
  return form === undefined ? { json: body } : { form };
};

/** A record that no row could hold was kept as it was to be stored. */
const normalised = (body: string, account: Account, receivedAt: string): Result<Deliveries, StillKept> => {
  const record = NotStorable.safeParse(parsed(body));
  if (!record.success) return fail('not-storable');

  const { facts, ...key } = record.data;
  if (!isSameUser(key.account, account.userName)) return fail('unknown-user');
  return ok({ deliveries: [{ key, delivery: deliveryOf(facts, receivedAt) }], misunderstood: [] });
};

const isLikeKey = (name: string): boolean => /api[_-]?key\W*$/i.test(name);

/** Whatever is named like a key was masked, be it ours or not: the mask is no value of that field. */
const withoutMaskedKeys = (record: Json): Json =>
  isJsonObject(record)
    ? Object.fromEntries(Object.entries(record).filter(([name, value]) => !(isLikeKey(name) && value === mask)))
    : record;
