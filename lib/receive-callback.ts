import type { AccountBook } from './account/account-book.ts';
import { knownAccounts, senderOf, senderOfText } from './account/known-sender.ts';
import { claimsOf } from './callback/claims-of.ts';
import { deliveriesOf } from './callback/deliveries-of.ts';
import { type Opened, openEnvelope, type Posted } from './callback/open-envelope.ts';
import type { Parked } from './callback/parked.ts';
import { quarantineEntry } from './callback/quarantine-entry.ts';
import { nothing, type Receipt, type Refusal, receiptOf } from './callback/receipt.ts';
import { type Recognised, recognise } from './callback/recognise.ts';
import { answers, maxRecords, type RefusalReason } from './callback/refusal.ts';
import type { Json } from './json/parse-json.ts';
import type { Accounts, Clock } from './ports.ts';
import { fail, ok, type Result } from './result.ts';
import { type StoresAndParking, storeOrPark } from './store-or-park.ts';

/** A post, and whether it came to the address that holds the callback secret. */
export type Callback = Posted & { readonly secretProven: boolean };

/** Takes a callback in. */
export type ReceiveCallback = (callback: Callback) => Promise<Result<Receipt, Refusal>>;

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
    const known = await knownAccounts(ports);
    if (!known.ok) return fail({ reason: known.problem, ...nothing });

    const book = known.value;
    const context = { ports, book, receivedAt, secretProven: callback.secretProven };
    const opened = openEnvelope(callback);
    if (opened.ok) return take(context, opened.value);
    const { reason, text } = opened.problem;
    return refuse(context, { reason, account: senderOfText(book, text, callback.secretProven), text });
  };

interface Context {
  readonly ports: ReceivePorts;
  readonly book: AccountBook;
  readonly receivedAt: string;
  readonly secretProven: boolean;
}

const take = async (given: Context, { value, keysBeside }: Opened): Promise<Result<Receipt, Refusal>> => {
  const { ports, receivedAt, secretProven } = given;
  const records: readonly Json[] = Array.isArray(value) ? value : [value];
  const recognised = recognise(records);
  const claims = claimsOf(records, recognised, { keysBeside, secretProven });
  const { book, sender } = await senderOf(ports, given.book, claims);
  const context = { ...given, book };
  if (!sender.ok) {
    // The vendor's other posts name no key: they are kept, where a call summary would be refused.
    const isOtherPost = claims.keys.length === 0 && !isUnderstood(recognised);
    const reason = isOtherPost ? reasonOf(recognised) : sender.problem;
    const [owner] = claims.keys.map(book.ownerOf);
    return refuse(context, { reason, account: owner?.userName, text: JSON.stringify(value) });
  }
  const account = sender.value.userName;
  const reason = records.length > maxRecords ? 'too-many-records' : reasonOf(recognised);
  if (!isUnderstood(recognised) || records.length > maxRecords)
    return refuse(context, { reason, account, text: JSON.stringify(value) });

  const said = deliveriesOf(recognised, { account: sender.value, receivedAt, masked: book.masked });
  const items: readonly Parked[] = [
    ...said.deliveries.map((keyed): Parked => ({ kind: 'delivery', ...keyed })),
    ...said.misunderstood.map(({ reason, value: part }) =>
      entryOf(context, { reason, account, text: JSON.stringify(part) }),
    ),
  ];
  return keep(ports, items, said.deliveries.length === 0 ? said.misunderstood[0]?.reason : undefined);
};

interface Unwanted {
  readonly reason: RefusalReason;
  readonly account: string | undefined;
  readonly text: string;
}

const entryOf = ({ book, receivedAt, secretProven }: Context, { reason, account, text }: Unwanted): Parked => {
  const from = { account, ...(account === undefined && secretProven && { viaSecret: true as const }) };
  return { kind: 'quarantine', entry: quarantineEntry({ reason, ...from, body: book.masked(text), receivedAt }) };
};

/** What was not understood is kept; what came from nobody that we know, or is too large, is not. */
const refuse = async (context: Context, unwanted: Unwanted): Promise<Result<Receipt, Refusal>> =>
  answers[unwanted.reason].status === 400
    ? keep(context.ports, [entryOf(context, unwanted)], unwanted.reason)
    : fail({ reason: unwanted.reason, ...nothing });

const isUnderstood = ({ calls, participants }: Recognised): boolean => calls.length + participants.length > 0;

const reasonOf = ({ misunderstood }: Recognised): RefusalReason => misunderstood[0]?.reason ?? 'no-records';

/** Stores what there is to store; a post that had to be refused is answered as such once it is safe in quarantine. */
const keep = async (
  ports: ReceivePorts,
  items: readonly Parked[],
  reason: RefusalReason | undefined,
): Promise<Result<Receipt, Refusal>> => {
  const outcomes = await storeOrPark(ports, items);
  if (!outcomes.ok) return fail({ reason: outcomes.problem, ...nothing });

  const receipt = receiptOf(outcomes.value);
  return reason === undefined ? ok(receipt) : fail({ reason, ...receipt });
};
