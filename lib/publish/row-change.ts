import type { EventType } from '../contract/event-schemas.ts';
import type { Facts } from '../record/delivery.ts';

/** A change of a row as the table's stream tells it. */
export interface RowChange {
  /** Orders the changes of a shard, and names the one from which a failed batch is to be retried. */
  readonly sequence: string;
  readonly before?: Facts | undefined;
  readonly after?: Facts | undefined;
}

/** An event as it goes to the bus. */
export interface BusEvent {
  readonly type: EventType;
  /** Events of one key are delivered to the bus in their order. */
  readonly key: string;
  readonly detail: Facts & {
    readonly id: string;
    readonly recordedAt: string;
    /** Only of an event that is told again. */
    readonly replayedAt?: string;
  };
}
