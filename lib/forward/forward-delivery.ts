import * as z from 'zod/mini';
import { type Account, type AccountIndex, type Accounts, pollingKey } from '../accounts/accounts.ts';
import { withOwnKey } from '../accounts/redacted-keys.ts';
import { partitionKey } from '../calls/call-keys.ts';
import { contentHash, decompressText } from '../core/encoding.ts';
import { loggableError } from '../core/result.ts';
import type { RowChange } from '../publish/events-of-change.ts';
import { type Row, readRow } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { PostedIn } from '../telephony/posted-fields.ts';
import { postBody } from './post-body.ts';

const CallKey = z.object({ account: z.string(), callId: z.string() });

/**
 * A message of the forwarding queue: one post for one address. It names both by hashes, and has of the address only its
 * host. So what was erased from the table meanwhile is not sent, and a secret path is in no queue.
 */
export const ForwardMessage = z.object({
  key: CallKey,
  /** The hash of how its records were posted, or of the stored text of its only record. */
  post: z.string(),
  address: z.string(),
  /** How many addresses its account had. */
  addresses: z.optional(z.int()),
});
export type ForwardMessage = Readonly<z.infer<typeof ForwardMessage>>;

/** How messages name an address. */
const addressId = (address: string): string => `${new URL(address).host}#${contentHash(address).slice(0, 8)}`;

const hostOf = ({ address }: ForwardMessage): string => address.replace(/#.*/, '');

/** Messages of one group are sent in order: those about one call, for one address. */
export const messageGroup = ({ key: { account, callId }, address }: ForwardMessage): string =>
  contentHash([account, callId, address]);

const StoredDelivery = z.object({
  id: z.string(),
  asSent: z.string(),
  source: z.optional(z.string()),
  postedIn: z.optional(PostedIn),
  keysAt: z.optional(z.readonly(z.array(z.int()))),
  formerId: z.optional(z.string()),
  erasedAt: z.optional(z.string()),
});
type StoredDelivery = z.infer<typeof StoredDelivery>;
const Deliveries = z.object({ deliveries: z.array(StoredDelivery) });

/** The deliveries of a row that the service posted, the first received first. */
const postedDeliveries = (row: Row): readonly StoredDelivery[] =>
  readRow(Deliveries, row).deliveries.filter(({ source }) => source === undefined);

/**
 * How messages name the post of a delivery. A delivery's id would not do: the rules that make it may change, and the text
 * does not. All deliveries of one list have one name, so the queue takes their messages for one.
 */
const postName = ({ asSent, postedIn }: StoredDelivery): string => contentHash(postedIn ?? asSent);

/** The posts of a row's deliveries from which nobody was erased. */
const postNames = (row: Row): ReadonlySet<string> =>
  new Set(
    postedDeliveries(row)
      .filter(({ erasedAt }) => erasedAt === undefined)
      .map(postName),
  );

/** The messages of a row's change: one for each post of the deliveries that it added, and for each address of its account. */
export const forwardMessages = (accounts: AccountIndex, { before, after }: RowChange): readonly ForwardMessage[] => {
  if (after === undefined) return [];
  const key = readRow(CallKey, after);
  const addresses = accounts.accountNamed(key.account)?.forwardTo ?? [];
  if (addresses.length === 0) return [];

  const known = before === undefined ? new Set() : postNames(before);
  const added = [...postNames(after)].filter((post) => !known.has(post));
  return added.flatMap((post) =>
    addresses.map((address) => ({ key, post, address: addressId(address), addresses: addresses.length })),
  );
};

/** The content of a post, and whether it is whole: the row of one of its records may not be written yet. */
interface StoredPost {
  readonly text: string;
  readonly keyField: string | undefined;
  readonly isWhole: boolean;
}

/** A post of a call's rows, with the account's key where it was; undefined if they have it no more, or a person was erased from it. */
const storedPost = (rows: readonly Row[], post: string, key: string): StoredPost | undefined => {
  // A call's partition has entries of its further agents too.
  const deliveries = rows.filter((row) => 'deliveries' in row).flatMap(postedDeliveries);
  const one = deliveries.find((delivery) => postName(delivery) === post);
  if (one === undefined) return undefined;
  const { ids, around, keyField } = one.postedIn ?? { ids: [one.id], around: [] };
  const isNamed = (id: string) => (delivery: StoredDelivery) => id === delivery.id || id === delivery.formerId;
  const named = ids.flatMap((id) => [one, ...deliveries].find(isNamed(id)) ?? []);
  // One that was derived again before its row kept `formerId` is found by its post.
  const ofPost = deliveries.filter((delivery) => postName(delivery) === post);
  const found = named.length === ids.length ? named : [...new Set([...named, ...ofPost])].slice(0, ids.length);
  if (found.some(({ erasedAt }) => erasedAt !== undefined)) return undefined;

  const texts = found.map(({ asSent, keysAt }) => withOwnKey(decompressText(asSent), key, keysAt));
  if (found.length < ids.length) return { text: `[${texts.join(',')}]`, keyField, isWhole: false };
  const text = texts.reduce((before, each, index) => `${before}${each}${around[index + 1] ?? ''}`, around[0] ?? '');
  return { text, keyField, isWhole: true };
};

/** The ports of forwarding. */
export interface ForwardPorts {
  readonly accounts: Accounts;
  /** The rows of a partition of calls, read consistently. */
  readonly read: (partition: string) => Promise<readonly Row[]>;
  /** Posts a form. Answers undefined if the address accepted it, or else the reason, which has nothing of the answer. */
  readonly post: (address: string, body: string) => Promise<string | undefined>;
  readonly telemetry: Telemetry;
}

/**
 * Sends a delivery to its address, and answers whether its message is done. It is also done if nothing is left to send: a
 * person was erased, the row has expired, or the address was removed. `attempt` counts from 1. Throws if it fails.
 */
export const forwardDelivery =
  ({ accounts, read, post, telemetry }: ForwardPorts) =>
  async (message: ForwardMessage, attempt: number): Promise<boolean> => {
    const target = await findTarget(accounts, message, attempt);
    if (target === undefined) return attempt >= attemptsForAddress && giveUp(telemetry, message);

    const { account, callId } = message.key;
    const key = pollingKey(target.account);
    const stored = storedPost(await read(partitionKey(account, callId)), message.post, key);
    if (stored === undefined) return true;
    if (!stored.isWhole && attempt < attemptsForRecords) return false;

    const { text, keyField } = stored;
    const problem = await post(target.address, postBody(text, keyField === undefined ? {} : { [keyField]: key }));
    if (problem !== undefined) throw loggableError(`${new URL(target.address).host}: ${problem}`);
    telemetry.count('DeliveriesForwarded');
    return true;
  };

/** Logs a failed attempt. Counts it only if the delivery has failed for ten minutes: single slow answers raise no alarm. */
export const reportFailure = (telemetry: Telemetry, error: unknown, attempt: number): void => {
  telemetry.fault('forwarding', error);
  if (attempt >= attemptsForAlarm) telemetry.count('ForwardsFailed');
};

const giveUp = (telemetry: Telemetry, message: ForwardMessage): true => {
  telemetry.count('ForwardsGivenUp');
  telemetry.fault('forwarding', loggableError(`${hostOf(message)}: The account has this address no more`));
  return true;
};

/** The pauses before it last longer than accounts are read only once. */
const attemptsForAddress = 4;

/** The pauses before it last ten minutes. */
const attemptsForAlarm = 7;

/** A record that is parked, or too large to be stored, holds up the others of its list for some forty minutes. */
const attemptsForRecords = 10;

/** Where a message is sent. Its address may have been added a moment ago, and these accounts be older: so some attempts wait. */
const findTarget = async (accounts: Accounts, message: ForwardMessage, attempt: number) => {
  const exact = targetIn(await accounts.current(), message) ?? targetIn(await accounts.refresh(), message);
  if (exact !== undefined || attempt < attemptsForAddress) return exact;
  return targetIn(await accounts.current(), message, correctedAddress);
};

const targetIn = (
  accounts: AccountIndex,
  message: ForwardMessage,
  addressIn = sameAddress,
): { readonly account: Account; readonly address: string } | undefined => {
  const account = accounts.accountNamed(message.key.account);
  const address = addressIn(account?.forwardTo ?? [], message);
  return account === undefined || address === undefined ? undefined : { account, address };
};

const sameAddress = (known: readonly string[], message: ForwardMessage): string | undefined =>
  known.find((each) => addressId(each) === message.address);

/**
 * The address that an account has in place of one that is gone: its only one, or its only one on that host. If it has
 * fewer than before, the address was removed, and the others have the post already.
 */
const correctedAddress = (known: readonly string[], message: ForwardMessage): string | undefined => {
  if (known.length < (message.addresses ?? 1)) return undefined;
  const onHost = known.filter((each) => new URL(each).host === hostOf(message));
  const [only, ...others] = onHost.length > 0 ? onHost : known;
  return others.length === 0 ? only : undefined;
};

const firstPauseSeconds = 10;
const longestPauseSeconds = 600;

/** How long a message waits after so many attempts: twice as long after each, up to ten minutes. */
export const pauseSeconds = (attempts: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (attempts - 1));

/** The number of attempts whose pauses add up to a day. Then a message becomes a dead letter. */
export const maxForwardAttempts = 150;
