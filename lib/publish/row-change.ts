import type { EventType } from '../contract/events.ts';
import type { Row } from '../storage/rows.ts';

/** A change of a row, from the table's stream. */
export interface RowChange {
  /** Orders the changes of a shard. A batch that fails is retried from the sequence that the publisher names. */
  readonly sequence: string;
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
}

/** An event for the bus. */
export interface BusEvent {
  readonly type: EventType;
  /** Events of one key reach the bus in their order. */
  readonly key: string;
  readonly detail: EventDetail & {
    readonly id: string;
    readonly recordedAt: string;
    /** Present in a replayed event only. */
    readonly replayedAt?: string;
  };
}

/** The fields of an event by name, as the contract declares them for its type. */
export type EventDetail = Readonly<Record<string, unknown>>;

/** The event bus. */
export interface EventBus {
  /** Answers for each event, in order, whether the bus accepted it. Throws when the bus cannot be reached. */
  publish(events: readonly BusEvent[]): Promise<readonly boolean[]>;
}

/**
 * When an operator requested a replay of the row's event, if this change is that request. The mark stays in the row until
 * the next write. So a change that has the same mark before and after requests nothing, nor does one that removes it.
 */
export const replayedAt = ({ before, after }: RowChange): string | undefined => {
  const requestedAt = after?.['replayedAt'];
  const isNew = before !== undefined && before['replayedAt'] !== requestedAt;
  return typeof requestedAt === 'string' && isNew ? requestedAt : undefined;
};
