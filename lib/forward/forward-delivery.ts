import * as z from 'zod/mini';
import { type Account, type AccountIndex, type Accounts, pollingKey } from '../accounts/accounts.ts';
import { rowKey } from '../calls/call-keys.ts';
import { RecordKey } from '../calls/call-record.ts';
import { contentHash, decompressText } from '../core/encoding.ts';
import { loggableError } from '../core/result.ts';
import type { RowChange } from '../publish/events-of-change.ts';
import { type Row, type RowKey, readRow } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { postBody } from './post-body.ts';

/**
 * A message of the forwarding queue: one delivery for one address. It names both by hashes, and has of the address only its
 * host. So what was erased from the table meanwhile is not sent, and a secret path is in no queue.
 */
export const ForwardMessage = z.object({
  key: RecordKey,
  /** The hash of the delivery's stored text: the rules that make a delivery's id may change, and the text does not. */
  delivery: z.string(),
  address: z.string(),
});
export type ForwardMessage = Readonly<z.infer<typeof ForwardMessage>>;

/** How messages name an address. */
const addressId = (address: string): string => `${new URL(address).host}#${contentHash(address).slice(0, 8)}`;

/** Messages of one group are sent in order: those about one call, for one address. */
export const messageGroup = ({ key: { account, callId }, address }: ForwardMessage): string =>
  contentHash([account, callId, address]);

const Deliveries = z.object({
  deliveries: z.array(
    z.object({ asSent: z.string(), source: z.optional(z.string()), erasedAt: z.optional(z.string()) }),
  ),
});

/** The texts of a row that the service posted, by their hashes, the first received first. */
const postedTexts = (row: Row): ReadonlyMap<string, string> =>
  new Map(
    readRow(Deliveries, row)
      .deliveries.filter(({ source, erasedAt }) => source === undefined && erasedAt === undefined)
      .map(({ asSent }) => [contentHash(asSent), asSent]),
  );

/** The messages of a row's change: one for each delivery that it added, and for each address of its account. */
export const forwardMessages = (accounts: AccountIndex, { before, after }: RowChange): readonly ForwardMessage[] => {
  if (after === undefined) return [];
  const key = readRow(RecordKey, after);
  const addresses = accounts.accountNamed(key.account)?.forwardTo ?? [];
  if (addresses.length === 0) return [];

  const known = before === undefined ? new Map() : postedTexts(before);
  const added = [...postedTexts(after).keys()].filter((delivery) => !known.has(delivery));
  return added.flatMap((delivery) => addresses.map((address) => ({ key, delivery, address: addressId(address) })));
};

/** The ports of forwarding. */
export interface ForwardPorts {
  readonly accounts: Accounts;
  /** The row with this key, read consistently; undefined if there is none. */
  readonly read: (key: RowKey) => Promise<Row | undefined>;
  /** Posts a form. Answers undefined if the address accepted it, or else the reason, which has nothing of the answer. */
  readonly post: (address: string, body: string) => Promise<string | undefined>;
  readonly telemetry: Telemetry;
}

/**
 * Sends a delivery to its address, and answers whether its message is done. It is also done if nothing is left to send: a
 * person was erased, the row has expired, or the account has no such address any more. `attempt` counts from 1.
 */
export const forwardDelivery =
  ({ accounts, read, post, telemetry }: ForwardPorts) =>
  async (message: ForwardMessage, attempt: number): Promise<boolean> => {
    const target = targetIn(await accounts.current(), message) ?? targetIn(await accounts.refresh(), message);
    // The address may have been added a moment ago, and these accounts be older. After some attempts they are not.
    if (target === undefined) return attempt >= attemptsForAddress;

    const row = await read(rowKey(message.key));
    const text = row && postedTexts(row).get(message.delivery);
    if (text === undefined) return true;

    const problem = await post(target.address, postBody(decompressText(text), pollingKey(target.account)));
    telemetry.count(problem === undefined ? 'DeliveriesForwarded' : 'ForwardsFailed');
    if (problem === undefined) return true;
    telemetry.fault('forwarding', loggableError(`${new URL(target.address).host}: ${problem}`));
    return false;
  };

/** The pauses before it last longer than accounts are read only once. */
const attemptsForAddress = 4;

const targetIn = (
  accounts: AccountIndex,
  { key, address: id }: ForwardMessage,
): { readonly account: Account; readonly address: string } | undefined => {
  const account = accounts.accountNamed(key.account);
  const address = account?.forwardTo?.find((each) => addressId(each) === id);
  return account === undefined || address === undefined ? undefined : { account, address };
};

const firstPauseSeconds = 10;
const longestPauseSeconds = 600;

/** How long a message waits after so many attempts: twice as long after each, up to ten minutes. */
export const pauseSeconds = (attempts: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (attempts - 1));

/** The number of attempts whose pauses add up to a day. Then a message becomes a dead letter. */
export const maxForwardAttempts = 150;
