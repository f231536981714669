import type { BusEvent } from '../../../lib/publish/row-change.ts';
import type { Facts } from '../../../lib/record/delivery.ts';

/** What the tables hold and the bus has told once a story is over. */
export interface Told {
  readonly rows: readonly Facts[];
  readonly events: readonly BusEvent[];
}
