import type { AccountIndex, Accounts } from '../accounts/accounts.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Clock } from '../telemetry/metrics.ts';
import {
  accountNameInText,
  authenticateSender,
  loadAccounts,
  type SenderCredentials,
  type SenderProblem,
  senderCredentials,
} from './authenticate-sender.ts';
import { type ClassifiedRecords, classifyRecords } from './classify-records.ts';
import { normaliseRecords } from './normalise-records.ts';
import type { Parked } from './parked.ts';
import { type Posted, parseEnvelope } from './parse-envelope.ts';
import { quarantineEntry } from './quarantine.ts';
import { maxRecords, type RejectionReason, rejectionResponses } from './rejections.ts';
import { type Outcome, type StoresAndParking, storeOrPark } from './store-or-park.ts';

/** A post, and whether it came to the address that holds the callback secret. */
export type Callback = Posted & { readonly hasValidSecret: boolean };

/** Receives one callback. */
export type ReceiveCallback = (callback: Callback) => Promise<Result<Receipt, Rejection>>;

/** The ports of the receiver. */
export type ReceivePorts = StoresAndParking & { readonly accounts: Accounts; readonly clock: Clock };

/**
 * Makes one durable write for each record: into its table or, while that is down, into the parking queue. The events
 * follow from the table's stream. A post that is rejected with status 400 is quarantined; any other rejected post is
 * discarded.
 */
export const receiveCallback =
  (ports: ReceivePorts): ReceiveCallback =>
  async (callback) => {
    const receivedAt = ports.clock().toISOString();
    const { hasValidSecret } = callback;
    const loaded = await loadAccounts(ports);
    if (!loaded.ok) return fail({ reason: loaded.problem, ...emptyReceipt });

    const envelope = parseEnvelope(callback);
    if (!envelope.ok) {
      const { reason, text } = envelope.problem;
      const account = accountNameInText(loaded.value, text, hasValidSecret);
      return reject({ ports, accounts: loaded.value, receivedAt, hasValidSecret }, { reason, account, text });
    }
    const { records, text, envelopeKeys } = envelope.value;
    const classified = classifyRecords(records);

    const credentials = senderCredentials(records, classified, { envelopeKeys, hasValidSecret });
    const { accounts, sender } = await authenticateSender(ports, loaded.value, credentials);
    const context = { ports, accounts, receivedAt, hasValidSecret };
    if (!sender.ok) {
      const reason = unauthenticatedReason(sender.problem, credentials, classified);
      const [account] = credentials.keys.map(accounts.accountForKey);
      return reject(context, { reason, account: account?.userName, text });
    }
    const account = sender.value.userName;
    const reason = records.length > maxRecords ? 'too-many-records' : reasonWithoutRecords(classified);
    if (reason !== undefined) return reject(context, { reason, account, text });

    const normalised = normaliseRecords(classified, { account: sender.value, receivedAt, redact: accounts.redact });
    const { deliveries, unrecognised } = normalised;
    const items: readonly Parked[] = [
      ...deliveries.map((keyed): Parked => ({ kind: 'delivery', ...keyed })),
      ...unrecognised.map((record) => quarantineItem(context, { ...record, account })),
    ];
    // A post of participants that all lack a call has no delivery.
    return storeItems(ports, items, deliveries.length === 0 ? unrecognised[0]?.reason : undefined);
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
  readonly hasValidSecret: boolean;
}

interface Rejected {
  readonly reason: RejectionReason;
  readonly account: string | undefined;
  readonly text: string;
}

/**
 * Quarantines a post that cannot be processed (400). Discards one that is too large (413) or not authenticated (401).
 */
const reject = async (context: Context, rejected: Rejected): Promise<Result<Receipt, Rejection>> =>
  rejectionResponses[rejected.reason].status === 400
    ? storeItems(context.ports, [quarantineItem(context, rejected)], rejected.reason)
    : fail({ reason: rejected.reason, ...emptyReceipt });

const quarantineItem = (
  { accounts, receivedAt, hasValidSecret }: Context,
  { reason, account, text }: Rejected,
): Parked => {
  const from = { account, ...(account === undefined && hasValidSecret && { viaSecret: true as const }) };
  return { kind: 'quarantine', entry: quarantineEntry({ reason, ...from, body: accounts.redact(text), receivedAt }) };
};

/** Stores or parks the items. A post with a rejection reason gets that answer only once its content is durable. */
const storeItems = async (
  ports: ReceivePorts,
  items: readonly Parked[],
  reason: RejectionReason | undefined,
): Promise<Result<Receipt, Rejection>> => {
  const outcomes = await storeOrPark(ports, items);
  if (!outcomes.ok) return fail({ reason: outcomes.problem, ...emptyReceipt });

  const receipt = receiptOf(outcomes.value);
  return reason === undefined ? ok(receipt) : fail({ reason, ...receipt });
};

/** How many records of a post were stored, known already, quarantined and parked. */
export interface Receipt {
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
  readonly parked?: number;
}

/** Why a post was rejected as a whole, and what was stored of it. */
export type Rejection = Receipt & { readonly reason: RejectionReason };

/** The receipt of a post when nothing of it was stored. */
export const emptyReceipt: Receipt = { stored: 0, duplicates: 0, quarantined: 0 };

/** Counts the outcomes of a post's records. */
export const receiptOf = (outcomes: readonly Outcome[]): Receipt => {
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  return {
    stored: count('stored'),
    duplicates: count('duplicate'),
    quarantined: count('quarantined'),
    ...(count('parked') > 0 && { parked: count('parked') }),
  };
};
