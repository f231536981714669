import type { Tables } from '../../sandbox/dynamodb/create-tables.ts';

/** A row of a peer's tables, as a client of documents reads it. */
export type PeerRow = Readonly<Record<string, unknown>>;

/** What a peer keeps of a call, in words that are the same for all. */
export interface StoredCall {
  readonly id: string;
  readonly isAnswered: boolean;
  readonly recordings: readonly string[];
  readonly disposition: string | undefined;
}

/** A function that is deployed. */
export interface PeerFunction {
  /** The module that exports `handler`, from the repository's root. */
  readonly entry: string;
  /** What it finds in its environment where AWS is at this address. */
  environment(awsUrl: string): Readonly<Record<string, string>>;
}

/** A receiver of callbacks in tables and on a bus of its own. */
export interface PeerDeployment {
  readonly receiver: PeerFunction;
  /** What runs on the stream of the table of calls, where the event does not come from the receiver itself. */
  readonly publisher?: PeerFunction;
  /** Every table, by its physical name. */
  readonly tables: Tables;
  readonly callsTable: string;
  /** Rows that hold a second run back, and their attribute with the instant, in milliseconds, until which they do. */
  readonly locks?: { readonly table: string; readonly until: string };
}

/** One way to take callbacks in. */
export interface Peer {
  readonly name: string;
  /** A deployment whose tables begin with `prefix`, for the account of `peerAccount`. */
  deployed(prefix: string): PeerDeployment;
  /** Reads a row of the table of calls; undefined for a row that is no call. */
  callOf(row: PeerRow): StoredCall | undefined;
}

/** The one account that all of them serve. */
export const peerAccount = { userName: 'demo', key: 'demo-key' } as const;

/** The account as the secret of our functions has it. */
export const peerSecret = JSON.stringify([{ userName: peerAccount.userName, apiKeys: [peerAccount.key] }]);
