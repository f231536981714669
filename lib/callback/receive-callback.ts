import type { Account, AccountIndex, Accounts } from '../accounts/accounts.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Clock } from '../core/time.ts';
import {
  accountsWithKeys,
  authenticateSender,
  credentialsWithin,
  isKnownSender,
  loadAccounts,
  type SenderCredentials,
  type SenderProblem,
  senderCredentials,
} from './authenticate-sender.ts';
import { type ClassifiedRecords, classifyRecords } from './classify-records.ts';
import { normaliseRecords } from './normalise-records.ts';
import { type Posted, parseEnvelope } from './parse-envelope.ts';
import { quarantineEntry } from './quarantine.ts';
import { quarantinedSender, redactPost } from './quarantined-sender.ts';
import { type RejectionReason, rejectionResponses } from './rejections.ts';
import type { Parked } from './schema.ts';
import {
  type Acceptance,
  discarded,
  type Outcome,
  type Rejection,
  receiptOf,
  type StoresAndParking,
  storeOrPark,
} from './store-or-park.ts';

/** A post, and whether it came to the address that holds the callback secret. */
export type Callback = Posted & { readonly hasValidSecret: boolean };

/** Receives one callback. */
export type ReceiveCallback = (callback: Callback) => Promise<Result<Acceptance, Rejection>>;

/** The ports of the receiver. */
export type ReceivePorts = StoresAndParking & { readonly accounts: Accounts; readonly clock: Clock };

/**
 * Makes one durable write for each record: into its table or, while that is down, into the parking queue. The events
 * follow from the table's stream. What a known sender posts is always stored: in quarantine if it cannot be processed.
 * Of what strangers post, only content that cannot be understood is quarantined, within bounds.
 */
export const receiveCallback =
  (ports: ReceivePorts): ReceiveCallback =>
  async (callback) => {
    const receivedAt = ports.clock().toISOString();
    const { hasValidSecret } = callback;
    const loaded = await loadAccounts(ports);
    if (!loaded.ok) return fail(discarded(loaded.problem));

    const envelope = parseEnvelope(callback);
    if (!envelope.ok) {
      const { envelopeKeys: keys, ...rejected } = envelope.problem;
      const credentials = { keys, users: [], hasValidSecret };
      return reject({ ports, accounts: loaded.value, receivedAt, credentials }, rejected);
    }
    const { records, text, envelopeKeys } = envelope.value;
    const classified = classifyRecords(records);

    const credentials = senderCredentials(records, classified, { envelopeKeys, hasValidSecret });
    const { accounts, sender } = await authenticateSender(ports, loaded.value, credentials);
    const context = { ports, accounts, receivedAt, credentials };
    if (!sender.ok) {
      const reason = unauthenticatedReason(sender.problem, credentials, classified);
      return reject(context, { reason, text });
    }
    return storeRecords(context, sender.value, { text, classified });
  };

interface ReadPost {
  readonly text: string;
  readonly classified: ClassifiedRecords;
}

/** Stores the calls and participants of an authenticated sender, and quarantines the other records. */
const storeRecords = async (
  context: Context,
  sender: Account,
  { text, classified }: ReadPost,
): Promise<Result<Acceptance, Rejection>> => {
  const { ports, accounts, receivedAt } = context;
  const account = sender.userName;
  const reason = reasonWithoutRecords(classified);
  if (reason !== undefined) return reject(context, { reason, account, text });

  const normalised = normaliseRecords(classified, { account: sender, receivedAt, redact: accounts.redact });
  const { deliveries, unrecognised } = normalised;
  const items: readonly Parked[] = [
    ...deliveries.map((keyed): Parked => ({ kind: 'delivery', ...keyed })),
    ...unrecognised.map((record) => quarantineItem(context, { ...record, account })),
  ];
  const stored = await storeItems(ports, items);
  if (!stored.ok) return stored;
  const receipt = receiptOf(stored.value);
  const problem = unrecognised[0]?.reason ?? (stored.value.includes('not-storable') ? 'not-storable' : undefined);
  if (problem === undefined) return ok(receipt);
  // A post of participants that all lack a call has no delivery.
  return deliveries.length > 0
    ? ok({ ...receipt, reason: problem })
    : fail({ ...receipt, reason: problem, isAcknowledged: true });
};

/** The vendor's other posts name no key. They are quarantined, but a call summary without a key is discarded. */
const unauthenticatedReason = (
  problem: SenderProblem,
  { keys }: SenderCredentials,
  classified: ClassifiedRecords,
): RejectionReason => (keys.length === 0 ? reasonWithoutRecords(classified) : undefined) ?? problem;

/** Why a post without any call or participant is rejected; undefined if it has one. */
const reasonWithoutRecords = ({ calls, participants, unrecognised }: ClassifiedRecords): RejectionReason | undefined =>
  calls.length + participants.length > 0 ? undefined : (unrecognised[0]?.reason ?? 'no-records');

interface Context {
  readonly ports: ReceivePorts;
  readonly accounts: AccountIndex;
  readonly receivedAt: string;
  readonly credentials: SenderCredentials;
}

interface Rejected {
  readonly reason: RejectionReason;
  readonly text: string;
  /** The authenticated account, if any. */
  readonly account?: string;
}

/**
 * Quarantines a post that cannot be processed, and acknowledges it to a known sender. Of a stranger it quarantines only
 * what is answered with 400, and discards everything else.
 */
const reject = async (received: Context, rejected: Rejected): Promise<Result<never, Rejection>> => {
  const { reason, text } = rejected;
  const context = await withKeysWithin(text, received);
  const isAcknowledged = isKnownSender(context.accounts, context.credentials);
  if (!isAcknowledged && rejectionResponses[reason].status !== 400) return fail(discarded(reason));

  const stored = await storeItems(context.ports, [quarantineItem(context, rejected)]);
  return stored.ok ? fail({ ...receiptOf(stored.value), reason, isAcknowledged }) : stored;
};

/** A live key makes the sender known wherever it is in the text, whatever is wrapped around it. */
const withKeysWithin = async (text: string, context: Context): Promise<Context> => {
  if (isKnownSender(context.accounts, context.credentials)) return context;
  const credentials = credentialsWithin(context.accounts, text, context.credentials);
  return { ...context, credentials, accounts: await accountsWithKeys(context.ports, context.accounts, credentials) };
};

const quarantineItem = (
  { accounts, receivedAt, credentials }: Context,
  { reason, text, account }: Rejected,
): Parked => {
  const from = account === undefined ? quarantinedSender(accounts, credentials) : { account };
  const body = redactPost(accounts, credentials, text);
  return { kind: 'quarantine', entry: quarantineEntry({ reason, ...from, body, receivedAt }) };
};

const storeItems = async (
  ports: ReceivePorts,
  items: readonly Parked[],
): Promise<Result<readonly Outcome[], Rejection>> => {
  const outcomes = await storeOrPark(ports, items);
  return outcomes.ok ? outcomes : fail(discarded(outcomes.problem));
};
