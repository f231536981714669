import * as z from 'zod/mini';
import { field, instant, nonEmpty } from './field.ts';
import type { Row } from './rows.ts';

export const eventSource = 'callfeed';

/** The fields that every event's `detail` has. Within a schema version fields are only added. */
export const Envelope = {
  schemaVersion: field(z.literal(1), 'The version of the detail’s schema.'),
  id: field(nonEmpty, 'The id of the event. A repeat has the same id.'),
  account: field(nonEmpty, 'The telephony account, by user name.'),
  occurredAt: field(instant, 'When the change happened.'),
  recordedAt: field(instant, 'When the change was written to the table.'),
  replayedAt: field(z.optional(instant), 'When an operator replayed the event; absent the first time.'),
  shortenedFields: field(
    z.optional(z.readonly(z.array(nonEmpty).check(z.minLength(1)))),
    'Fields that were truncated to fit the event; the row has them in full.',
  ),
};

export const callId = field(nonEmpty, 'The digits of the call’s id, as text: it may exceed 2^53.', {
  origin: 'monitorUCID',
});

export interface EventGuide {
  readonly when: string;
  readonly narrowed: { readonly to: string; readonly detail: object };
  /** The table whose rows make it again in a replay; absent where no row stores the moment. */
  readonly replayedFrom?: 'calls' | 'agents';
  readonly feature?: 'recordings';
}

export const eventGuides = z.registry<EventGuide>();

/** Declares a kind of event: its `detail-type`, the fields of its detail, and what the contract says of it. */
export const eventKind = <Shape extends z.core.$ZodLooseShape>(type: string, shape: Shape, guide: EventGuide) => {
  const detail = z.strictObject({ ...Envelope, ...shape });
  z.globalRegistry.add(detail, { title: type });
  eventGuides.add(detail, guide);
  return detail;
};

export interface RowEvent<Type extends string> {
  readonly type: Type;
  /** Events of one key reach the bus in their order. */
  readonly key: string;
  /** What its id is a hash of. */
  readonly identity: readonly unknown[];
  readonly subject: { readonly account: string; readonly callId?: string; readonly participantId?: string };
  readonly occurredAt: string | undefined;
  readonly recordedAt: string;
  readonly about: object;
}

/** A kind of row that makes one event: as soon as it is ready, and again in a replay. */
export interface OneEventRow<Type extends string> {
  readonly isReady: (row: Row) => boolean;
  readonly typeOf: (row: Row) => Type | undefined;
  /** Its event. `read` reads the row, and throws if Callfeed did not write it. */
  readonly eventOf: (read: <Schema extends z.ZodMiniType>(schema: Schema) => z.output<Schema>) => RowEvent<Type>;
}
