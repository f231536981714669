import type { Account } from '../account.ts';
import type { Call } from '../floor/call.ts';
import type { Random } from '../random.ts';
import type { Fields } from '../summary/value.ts';
import type { Choosable } from './choose.ts';

/** Rewrites the fields of a summary. */
export type Rewrite = (fields: Fields) => Fields;

/** What a quirk may look at besides the fields. */
export interface Subject {
  readonly call: Call;
  readonly account: Account;
}

/**
 * A habit of the service in how it writes a summary. It draws once for a call, and the rewrite it returns is used for
 * every delivery and leg of that call: the service does not change its habits between two posts of one call.
 */
export interface FieldQuirk extends Choosable {
  /** Whether it can show on a call at all; on every call unless told. */
  readonly suits?: (call: Call) => boolean;
  readonly prepare: (random: Random, subject: Subject) => Rewrite;
}
