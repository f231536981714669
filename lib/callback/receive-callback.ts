import type { AccountIndex, Accounts } from '../accounts/account-index.ts';
import type { Json } from '../core/parse-json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Clock } from '../telemetry/metrics.ts';
import { accountNameInText, authenticateSender, loadAccounts, senderCredentials } from './authenticate-sender.ts';
import { type ClassifiedRecords, classifyRecords } from './classify-records.ts';
import { normaliseRecords } from './normalise-records.ts';
import type { Parked } from './parked.ts';
import { type ParsedEnvelope, type Posted, parseEnvelope } from './parse-envelope.ts';
import { quarantineEntry } from './quarantine.ts';
import { maxRecords, type RejectionReason, rejectionResponses } from './rejections.ts';
import { type Outcome, type StoresAndParking, storeOrPark } from './store-or-park.ts';

/** How many records of a post were new, known already, and not understood; and how many wait for their table. */
export interface Receipt {
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
  readonly parked?: number;
}

/** Of a post that was not taken in. */
export const emptyReceipt: Receipt = { stored: 0, duplicates: 0, quarantined: 0 };

/** Why a post was refused as a whole, and how much of it is kept all the same. */
export type Rejection = Receipt & { readonly reason: RejectionReason };

/** Counts what became of the records of a post. */
export const receiptOf = (outcomes: readonly Outcome[]): Receipt => {
  const number = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  return {
    stored: number('stored'),
    duplicates: number('duplicate'),
    quarantined: number('quarantined'),
    ...(number('parked') > 0 && { parked: number('parked') }),
  };
};

/** A post, and whether it came to the address that holds the callback secret. */
export type Callback = Posted & { readonly hasValidSecret: boolean };

/** Takes a callback in. */
export type ReceiveCallback = (callback: Callback) => Promise<Result<Receipt, Rejection>>;

/** What taking a callback in needs. */
export type ReceivePorts = StoresAndParking & { readonly accounts: Accounts; readonly clock: Clock };

/**
 * One durable write for each record, into its table or, if that is down, into the parking queue; the events follow from
 * the table's stream. A post that is not understood is quarantined, one of an unknown sender is not kept at all.
 */
export const receiveCallback =
  (ports: ReceivePorts): ReceiveCallback =>
  async (callback) => {
    const receivedAt = ports.clock().toISOString();
    const known = await loadAccounts(ports);
    if (!known.ok) return fail({ reason: known.problem, ...emptyReceipt });

    const book = known.value;
    const context = { ports, book, receivedAt, hasValidSecret: callback.hasValidSecret };
    const opened = parseEnvelope(callback);
    if (opened.ok) return acceptRecords(context, opened.value);
    const { reason, text } = opened.problem;
    return reject(context, { reason, account: accountNameInText(book, text, callback.hasValidSecret), text });
  };

interface Context {
  readonly ports: ReceivePorts;
  readonly book: AccountIndex;
  readonly receivedAt: string;
  readonly hasValidSecret: boolean;
}

const acceptRecords = async (
  given: Context,
  { value, envelopeKeys }: ParsedEnvelope,
): Promise<Result<Receipt, Rejection>> => {
  const { ports, receivedAt, hasValidSecret } = given;
  const records: readonly Json[] = Array.isArray(value) ? value : [value];
  const recognised = classifyRecords(records);
  const claims = senderCredentials(records, recognised, { envelopeKeys, hasValidSecret });
  const { book, sender } = await authenticateSender(ports, given.book, claims);
  const context = { ...given, book };
  if (!sender.ok) {
    // The vendor's other posts name no key: they are kept, where a call summary would be refused.
    const isOtherPost = claims.keys.length === 0 && !hasKnownRecords(recognised);
    const reason = isOtherPost ? rejectionReason(recognised) : sender.problem;
    const [owner] = claims.keys.map(book.accountForKey);
    return reject(context, { reason, account: owner?.userName, text: JSON.stringify(value) });
  }
  const account = sender.value.userName;
  const reason = records.length > maxRecords ? 'too-many-records' : rejectionReason(recognised);
  if (!hasKnownRecords(recognised) || records.length > maxRecords)
    return reject(context, { reason, account, text: JSON.stringify(value) });

  const said = normaliseRecords(recognised, { account: sender.value, receivedAt, redact: book.redact });
  const items: readonly Parked[] = [
    ...said.deliveries.map((keyed): Parked => ({ kind: 'delivery', ...keyed })),
    ...said.unrecognised.map(({ reason, value: part }) =>
      quarantineItem(context, { reason, account, text: JSON.stringify(part) }),
    ),
  ];
  return storeItems(ports, items, said.deliveries.length === 0 ? said.unrecognised[0]?.reason : undefined);
};

interface Rejected {
  readonly reason: RejectionReason;
  readonly account: string | undefined;
  readonly text: string;
}

const quarantineItem = ({ book, receivedAt, hasValidSecret }: Context, { reason, account, text }: Rejected): Parked => {
  const from = { account, ...(account === undefined && hasValidSecret && { viaSecret: true as const }) };
  return { kind: 'quarantine', entry: quarantineEntry({ reason, ...from, body: book.redact(text), receivedAt }) };
};

/** What was not understood is kept; what came from nobody that we know, or is too large, is not. */
const reject = async (context: Context, unwanted: Rejected): Promise<Result<Receipt, Rejection>> =>
  rejectionResponses[unwanted.reason].status === 400
    ? storeItems(context.ports, [quarantineItem(context, unwanted)], unwanted.reason)
    : fail({ reason: unwanted.reason, ...emptyReceipt });

const hasKnownRecords = ({ calls, participants }: ClassifiedRecords): boolean => calls.length + participants.length > 0;

const rejectionReason = ({ unrecognised }: ClassifiedRecords): RejectionReason =>
  unrecognised[0]?.reason ?? 'no-records';

/** Stores what there is to store; a post that had to be refused is answered as such once it is safe in quarantine. */
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
