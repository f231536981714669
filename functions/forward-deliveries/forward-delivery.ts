import * as z from 'zod/mini';
import type { AccountIndex, Accounts } from '../../lib/accounts/account-index.ts';
import { pollingKey } from '../../lib/accounts/accounts.ts';
import { partitionKey } from '../../lib/calls/call-keys.ts';
import { contentHash } from '../../lib/core/encoding.ts';
import { loggableError } from '../../lib/core/result.ts';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import { type Row, readRow } from '../../lib/storage/rows.ts';
import { counter, gauge, type Telemetry } from '../../lib/telemetry/metrics.ts';
import { postBody, postNames, storedPost } from './stored-post.ts';

const CallKey = z.object({ account: z.string(), callId: z.string() });

/** One post for one address, both as hashes: what was erased meanwhile is not sent, and a secret path is in no queue. */
export const ForwardMessage = z.object({
  key: CallKey,
  /** The hash of how its records were posted, or of the stored text of its only record. */
  post: z.string(),
  address: z.string(),
  addresses: z.optional(z.int()),
  /** The late post after which this one is sent again. Without it the queue would take the message for a repeat of the first. */
  behind: z.optional(z.string()),
});
export type ForwardMessage = Readonly<z.infer<typeof ForwardMessage>>;

const addressId = (address: string): string => `${new URL(address).host}#${contentHash(address).slice(0, 8)}`;

const hostOf = ({ address }: ForwardMessage): string => address.replace(/#.*/, '');

/** Messages of one group are sent in order: those about one call, for one address. */
export const messageGroup = ({ key: { account, callId }, address }: ForwardMessage): string =>
  contentHash([account, callId, address]);

/** One for each added post and address. Posts received later than an added one go again: the last one counts. */
export const forwardMessages = (index: AccountIndex, { before, after }: RowChange): readonly ForwardMessage[] => {
  if (after === undefined) return [];
  const key = readRow(CallKey, after);
  const addresses = index.accountNamed(key.account)?.forwardTo ?? [];
  if (addresses.length === 0) return [];

  const postsBefore = before === undefined ? new Set() : postNames(before);
  const posts = [...postNames(after)];
  const firstAdded = posts.findIndex((post) => !postsBefore.has(post));
  if (firstAdded === -1) return [];
  return posts.slice(firstAdded).flatMap((post) =>
    addresses.map((address) => ({
      key,
      post,
      address: addressId(address),
      addresses: addresses.length,
      ...(postsBefore.has(post) && { behind: posts[firstAdded] }),
    })),
  );
};

export interface ForwardPorts {
  readonly accounts: Accounts;
  readonly read: (partition: string) => Promise<readonly Row[]>;
  /** Posts a form. Answers undefined if the address accepted it, or else the reason, which has nothing of the answer. */
  readonly post: (address: string, body: string) => Promise<string | undefined>;
  readonly telemetry: Telemetry;
}

export interface Receipt {
  /** Counts from 1. */
  readonly attempt: number;
  /** How long ago the message was sent to the queue. */
  readonly waitedSeconds: number;
}

/**
 * How long a delivery waited for its first attempt: from the row's write into the queue, and from there. Behind an earlier
 * delivery of its call it waits because that one fails, which is counted elsewhere.
 */
export const forwardingDelay = gauge('ForwardingDelaySeconds');

const measureDelay = (telemetry: Telemetry, { attempt, waitedSeconds }: Receipt, isFirst: boolean): void => {
  if (attempt === 1 && isFirst) telemetry.measure(forwardingDelay, waitedSeconds);
};

/** Sends a delivery, and answers whether its message is done: also where nothing is left to send, as after an erasure. Throws if it fails. */
export const forwardDelivery =
  ({ accounts, read, post, telemetry }: ForwardPorts) =>
  async (message: ForwardMessage, receipt: Receipt): Promise<boolean> => {
    const { attempt } = receipt;
    const target = await findTarget(accounts, message, attempt);
    if (target === undefined) {
      if (attempt < attemptsForAddress) return false;
      telemetry.fault('forwarding', loggableError(`${hostOf(message)}: The account has this address no more`));
      return true;
    }

    const { account, callId } = message.key;
    const key = pollingKey(target.account);
    const stored = storedPost(await read(partitionKey(account, callId)), message.post, key);
    if (stored === undefined) return true;
    measureDelay(telemetry, receipt, stored.isFirst);
    if (!stored.isWhole && attempt < attemptsForRecords) return false;

    const { text, keyField } = stored;
    const problem = await post(target.address, postBody(text, keyField === undefined ? {} : { [keyField]: key }));
    if (problem !== undefined) throw loggableError(`${new URL(target.address).host}: ${problem}`);
    return true;
  };

export const forwardsFailed = counter('ForwardsFailed');

/** Logs a failed attempt. Counts it only if the delivery has failed for ten minutes: single slow answers raise no alarm. */
export const reportFailure = (telemetry: Telemetry, error: unknown, attempt: number): void => {
  telemetry.fault('forwarding', error);
  if (attempt >= attemptsForAlarm) telemetry.count(forwardsFailed);
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

const targetIn = (index: AccountIndex, message: ForwardMessage, addressIn = sameAddress) => {
  const account = index.accountNamed(message.key.account);
  const address = addressIn(account?.forwardTo ?? [], message);
  return account === undefined || address === undefined ? undefined : { account, address };
};

const sameAddress = (addresses: readonly string[], message: ForwardMessage): string | undefined =>
  addresses.find((each) => addressId(each) === message.address);

/** The account's only address, or only one on that host. Fewer than before: it was removed, the others have the post. */
const correctedAddress = (addresses: readonly string[], message: ForwardMessage): string | undefined => {
  if (addresses.length < (message.addresses ?? 1)) return undefined;
  const onHost = addresses.filter((each) => new URL(each).host === hostOf(message));
  const [only, ...others] = onHost.length > 0 ? onHost : addresses;
  return others.length === 0 ? only : undefined;
};

/** How long a message waits after so many attempts: ten seconds, and twice as long after each, up to ten minutes. */
export const pauseSeconds = (attempts: number): number => Math.min(600, 10 * 2 ** (attempts - 1));

/** The number of attempts whose pauses add up to a day. Then a message becomes a dead letter. */
export const maxForwardAttempts = 150;
