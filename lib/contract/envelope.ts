import * as z from 'zod';
import { field, instant, text } from './field.ts';

/** The source of every event of ours on the bus. */
export const eventSource = 'callfeed';

/** What every event's `detail` has, whatever it tells of. Within a schema version fields are only added. */
export const Envelope = {
  schemaVersion: field(z.literal(1), 'The version of the detail’s shape.'),
  id: field(text, 'Names the event for good: a repeat has the same one, so subscribers can drop it.'),
  account: field(text, 'The account of the telephony service, by its user name.'),
  occurredAt: field(instant, 'When what the event tells of happened.'),
  recordedAt: field(instant, 'When it was written to the table.'),
  replayedAt: field(
    instant.optional(),
    'When an operator had the event told again, as it was and with the same id; absent the first time.',
  ),
  shortenedFields: field(
    z.array(text).min(1).readonly().optional(),
    'Fields of which the event holds only the beginning, since it would be too large; the row has them whole.',
  ),
};
