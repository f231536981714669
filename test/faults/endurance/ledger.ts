import type { Parked } from '../../../lib/callback/parked.ts';
import { isUnknownSender, quarantineRow } from '../../../lib/callback/quarantine.ts';
import type { RecordKey } from '../../../lib/calls/call-record.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import type { ExpectedOutcome } from '../posts/expected-outcome.ts';
import type { Reply } from '../posts/post-client.ts';

/** One distinct thing that was posted of a record. Instants are milliseconds of the clock that the sandbox has too. */
export interface PostedDelivery {
  readonly facts: Facts;
  readonly firstSentAt: number;
  /** When it was first said to be kept; none if it never was. */
  acknowledgedAt?: number;
}

/** All that was posted of one leg or participant, by the names of the deliveries. */
export interface PostedRecord {
  readonly key: RecordKey;
  readonly deliveries: Map<string, PostedDelivery>;
}

/** Something that is no call: how often it was posted, and how often it was said to be in quarantine. */
export interface PostedEntry {
  readonly isStrangers: boolean;
  sent: number;
  told: number;
}

/** What was posted and what was said of it. */
export interface Ledger {
  readonly records: ReadonlyMap<string, PostedRecord>;
  /** By the id of the row that an account's is kept in, or by the text of a stranger's. */
  readonly entries: ReadonlyMap<string, PostedEntry>;
  /** Calls that the contact centre named in posts which were acknowledged; read from nobody else. */
  readonly callIds: ReadonlySet<string>;
  /** Answers that no post of this meaning may get. */
  readonly wrongAnswers: readonly string[];
  /** To be told before it is sent; the instant then goes with the answer. */
  readonly sending: (meaning: ExpectedOutcome, at: number) => void;
  readonly answered: (meaning: ExpectedOutcome, callId: string | undefined, reply: Reply, at: number) => void;
}

/** Names a record. */
export const nameOf = ({ kind, account, callId, part }: RecordKey): string => [kind, account, callId, part].join(' ');

/** Names what is in quarantine. A stranger's row is named by its minute, so that its text has to do. */
export const entryName = (entry: Extract<Parked, { kind: 'quarantine' }>['entry']): string =>
  isUnknownSender(entry) ? `stranger's ${entry.body}` : quarantineRow(entry, 1).id;

/** Whether the sender may now forget the post: it is kept, or refused for good. */
export const isSettled = (reply: Reply | undefined): reply is Reply => reply !== undefined && reply.status < 500;

/** Nothing posted yet. */
export const createLedger = (): Ledger => {
  const records = new Map<string, PostedRecord>();
  const entries = new Map<string, PostedEntry>();
  const callIds = new Set<string>();
  const wrongAnswers: string[] = [];

  const recordFor = (key: RecordKey): PostedRecord => {
    const record = records.get(nameOf(key)) ?? { key, deliveries: new Map() };
    records.set(nameOf(key), record);
    return record;
  };
  const entryFor = (entry: Extract<Parked, { kind: 'quarantine' }>['entry']): PostedEntry => {
    const posted = entries.get(entryName(entry)) ?? { isStrangers: isUnknownSender(entry), sent: 0, told: 0 };
    entries.set(entryName(entry), posted);
    return posted;
  };
  const acknowledge = (item: Parked, at: number): void => {
    if (item.kind === 'quarantine') {
      entryFor(item.entry).told += 1;
      return;
    }
    const delivery = recordFor(item.key).deliveries.get(item.delivery.id);
    if (delivery !== undefined) delivery.acknowledgedAt ??= at;
  };

  return {
    records,
    entries,
    callIds,
    wrongAnswers,
    sending({ items }, at) {
      for (const item of items) {
        if (item.kind === 'quarantine') entryFor(item.entry).sent += 1;
        else {
          const { deliveries } = recordFor(item.key);
          const { id, facts } = item.delivery;
          if (!deliveries.has(id)) deliveries.set(id, { facts, firstSentAt: at });
        }
      }
    },
    answered({ status, items }, callId, reply, at) {
      if (!isSettled(reply)) return;
      if (reply.status !== status) wrongAnswers.push(`${reply.status} ${reply.error ?? ''} where ${status} was due`);
      const kept = reply.stored + reply.duplicates + reply.quarantined + reply.parked;
      const mayDrop = items.some((item) => item.kind === 'quarantine' && isUnknownSender(item.entry));
      if (kept !== items.length && !mayDrop)
        wrongAnswers.push(`${reply.status} with ${kept} records kept, of a post with ${items.length}`);
      if (kept < items.length) return;
      for (const item of items) acknowledge(item, at);
      if (callId !== undefined) callIds.add(callId);
    },
  };
};
