import type { EventType } from '../contract/events.ts';
import type { Facts } from '../core/objects.ts';

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

/**
 * When somebody asked that a row be told again, if it is that of which the change tells. The mark stays until the row is
 * written anew, so a change that has it before and after, or only before, asks for nothing.
 */
export const replayedAt = ({ before, after }: RowChange): string | undefined => {
  const asked = after?.['replayedAt'];
  const isNew = before !== undefined && before['replayedAt'] !== asked;
  return typeof asked === 'string' && isNew ? asked : undefined;
};

/** Takes events to the subscribers. */
export interface EventBus {
  /** Says for each event, in order, whether the bus took it. Throws when the bus cannot be reached. */
  publish(events: readonly BusEvent[]): Promise<readonly boolean[]>;
}
