import type { RowChange } from '../../lib/publish/row-change.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import type { Envelope } from '../../sandbox/bus/envelope.ts';
import type { Listed } from './centre.ts';

/** All that a story has left behind. */
export interface Ending {
  /** Of the account, which another telling of the story does not share. */
  readonly name: string;
  readonly rows: Readonly<Record<'calls' | 'quarantine' | 'agents', readonly Facts[]>>;
  readonly events: readonly Envelope[];
  readonly changes: readonly RowChange[];
  readonly parked: readonly string[];
  readonly deadLetters: readonly string[];
  /** What posts were answered; undefined where no answer came. */
  readonly statuses: readonly (number | undefined)[];
  /** The ids of calls of which a summary was acknowledged. */
  readonly acknowledged: readonly string[];
  /** What each answer said was quarantined. */
  readonly quarantined: readonly number[];
  /** When posts were made. */
  readonly tries: readonly string[];
  readonly floor: readonly Listed[];
  readonly offences: readonly string[];
  readonly repeatsExplained: boolean;
  /** Where the account's key was found. */
  readonly leaks: readonly string[];
  readonly calls: readonly string[];
}
