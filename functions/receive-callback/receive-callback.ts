import { type AccountIndex, type Accounts, keyFingerprint } from '../../lib/accounts/account-index.ts';
import { type Account, maxApiKeyLength } from '../../lib/accounts/accounts.ts';
import { secretRedactor } from '../../lib/accounts/redact-secrets.ts';
import {
  accountsWithKeys,
  authenticateSender,
  isKnownSender,
  loadAccounts,
  maxKeys,
  type SenderCredentials,
  senderCredentials,
  withKeysInText,
} from '../../lib/callback/authenticate-sender.ts';
import { type ClassifiedRecords, classifyRecords } from '../../lib/callback/classify-records.ts';
import { type EnvelopeKey, keyFieldOf } from '../../lib/callback/json-content.ts';
import { normaliseRecords } from '../../lib/callback/normalise-records.ts';
import { type Posted, parseEnvelope, type SentText } from '../../lib/callback/parse-envelope.ts';
import { countsOf, type RejectionReason, type Reply, rejected } from '../../lib/callback/reply.ts';
import type { QuarantineEntry, StorableItem } from '../../lib/callback/schema.ts';
import {
  quarantineEntry,
  type StoresAndParking,
  storeOrPark,
  type TimeLeft,
} from '../../lib/callback/store-or-park.ts';
import type { Clock } from '../../lib/core/time.ts';

export type Callback = Posted & { readonly hasValidSecret: boolean };

export type ReceiveCallback = (callback: Callback, timeLeft: TimeLeft) => Promise<Reply>;

export type ReceivePorts = StoresAndParking & { readonly accounts: Accounts; readonly clock: Clock };

/**
 * Makes one durable write for each record: into its table or, while that is down, into the parking queue. What a known
 * sender posts is always stored: in quarantine if it cannot be processed. Strangers' posts are not.
 */
export const receiveCallback =
  (ports: ReceivePorts): ReceiveCallback =>
  async (callback, timeLeft) => {
    const receivedAt = ports.clock().toISOString();
    const { hasValidSecret } = callback;
    const loaded = await loadAccounts(ports);
    if (!loaded.ok) return rejected(loaded.problem);

    const envelope = parseEnvelope(callback);
    const { sent, envelopeKeys } = envelope.ok ? envelope.value : envelope.problem;
    const records = envelope.ok ? envelope.value.records : [];
    const classified = classifyRecords(records);
    const credentials = senderCredentials(records, classified, envelopeKeys, hasValidSecret);
    const received = { ports, receivedAt, timeLeft, envelopeKeys, from: { index: loaded.value, credentials } };
    if (!envelope.ok) return quarantineOrReject(received, { reason: envelope.problem.reason, ...sent });

    const { index, sender } = await authenticateSender(ports, loaded.value, credentials);
    const context = { ...received, from: { index, credentials } };
    if (sender.ok) return acceptRecords(context, sender.value, { sent, classified });
    // A post with neither key nor call, such as one of the vendor's other posts, is reported as no call summary.
    const withoutCall = credentials.keys.length === 0 ? reasonWithoutRecords(classified) : undefined;
    return quarantineOrReject(context, { reason: withoutCall ?? sender.problem, ...sent });
  };

interface ReadPost {
  readonly sent: SentText;
  readonly classified: ClassifiedRecords;
}

const acceptRecords = async (context: Context, sender: Account, post: ReadPost): Promise<Reply> => {
  const { sent, classified } = post;
  const { ports, receivedAt, timeLeft, envelopeKeys } = context;
  const { index } = context.from;
  const account = sender.userName;
  const reason = reasonWithoutRecords(classified);
  if (reason !== undefined) return quarantineOrReject(context, { reason, account, ...sent });

  const posted = { text: sent.text, keyField: keyFieldOf(envelopeKeys), ownMasks: index.ownMasks };
  const normalised = normaliseRecords(classified, { account: sender, receivedAt, redact: index.redact, posted });
  const { deliveries, unrecognised } = normalised;
  const items = [
    ...deliveries.map((keyed): StorableItem => ({ kind: 'delivery', ...keyed })),
    ...unrecognised.map((record) => quarantineItem(context, { ...record, carriedAs: 'json', account })),
  ];
  const stored = await storeOrPark(ports, items, timeLeft);
  if (!stored.ok) return rejected(stored.problem);
  return {
    // A post of participants that all lack a call has no delivery.
    outcome: deliveries.length > 0 ? 'accepted' : 'acknowledged',
    ...countsOf(stored.value),
    reason: unrecognised[0]?.reason ?? (stored.value.includes('not-storable') ? 'not-storable' : undefined),
  };
};

const reasonWithoutRecords = ({ calls, participants, unrecognised }: ClassifiedRecords): RejectionReason | undefined =>
  calls.length + participants.length > 0 ? undefined : (unrecognised[0]?.reason ?? 'no-records');

/** What is known of who sent a post: what the post says, and the accounts as they were when its keys were looked up. */
interface SentFrom {
  readonly index: AccountIndex;
  readonly credentials: SenderCredentials;
}

interface Context {
  readonly ports: ReceivePorts;
  readonly receivedAt: string;
  readonly timeLeft: TimeLeft;
  readonly envelopeKeys: readonly EnvelopeKey[];
  readonly from: SentFrom;
}

interface UnprocessedPost extends SentText {
  readonly reason: RejectionReason;
  readonly account?: string;
}

/** Quarantines a known sender's post, and stores nobody else's: 503 instead of 401 while a new key may be unknown. */
const quarantineOrReject = async (received: Context, post: UnprocessedPost): Promise<Reply> => {
  const { ports, timeLeft } = received;
  const from = await searchTextForKeys(post.text, received);
  const { index, credentials } = from;
  if (!isKnownSender(index, credentials))
    return rejected(index.isStale && credentials.keys.length > 0 ? 'accounts-unavailable' : post.reason);

  const stored = await storeOrPark(ports, [quarantineItem({ ...received, from }, post)], timeLeft);
  if (!stored.ok) return rejected(stored.problem);
  return { outcome: 'acknowledged', ...countsOf(stored.value), reason: post.reason };
};

/** A live key makes the sender known wherever it is in the text, whatever is wrapped around it. */
const searchTextForKeys = async (text: string, { ports, from }: Context): Promise<SentFrom> => {
  if (isKnownSender(from.index, from.credentials)) return from;
  const credentials = withKeysInText(from.index, text, from.credentials);
  return { credentials, index: await accountsWithKeys(ports, from.index, credentials) };
};

const quarantineItem = (
  { receivedAt, envelopeKeys, from: { index, credentials } }: Context,
  { reason, text, carriedAs, account }: UnprocessedPost,
): StorableItem => {
  const sender = account === undefined ? quarantinedSender(index, credentials) : { account };
  const body = redactPost(index, credentials, text);
  const keyField = keyFieldOf(envelopeKeys);
  return { kind: 'quarantine', entry: quarantineEntry({ reason, ...sender, body, carriedAs, keyField, receivedAt }) };
};

type QuarantinedSender = Pick<QuarantineEntry, 'account' | 'viaSecret' | 'keyFingerprints'>;

/**
 * The account of an unauthenticated post's first live key, or the only account if it names none and came to the secret
 * address. Where its keys are not all of one account, the entry has their fingerprints, never keys.
 */
export const quarantinedSender = (
  index: AccountIndex,
  { keys, users, hasValidSecret }: SenderCredentials,
): QuarantinedSender => {
  const owners = new Set(keys.map(index.accountForKey));
  const [keyed] = [...owners].filter((owner) => owner !== undefined);
  const isAnonymous = keys.length + users.length === 0;
  const account = keyed ?? (hasValidSecret && isAnonymous ? index.accountNamed(undefined) : undefined);
  const isOfOneAccount = owners.size === 1 && keyed !== undefined;

  return {
    account: account?.userName,
    ...(account === undefined && hasValidSecret && { viaSecret: true as const }),
    ...(keys.length > 0 && !isOfOneAccount && { keyFingerprints: keys.slice(0, maxKeys).map(keyFingerprint) }),
  };
};

/** Whether an unknown key looks like one. A word or a number in its field is probably the value of other fields too. */
const isLikeKey = (key: string): boolean => key.length <= maxApiKeyLength && /[a-z]/i.test(key) && /\d/.test(key);

/** A text without any key. A known sender's unknown keys are probably new ones of an account, so they are redacted like live ones. */
export const redactPost = (index: AccountIndex, credentials: SenderCredentials, text: string): string => {
  const redacted = index.redact(text);
  const unknown = credentials.keys.filter((key) => isLikeKey(key) && !index.accountForKey(key));
  return unknown.length === 0 ? redacted : secretRedactor(unknown)(redacted);
};
