import * as z from 'zod/mini';
import { field, text } from './field.ts';

/** What is odd about a value. No such value is a reason to reject a call. */
const noteReasons = [
  'over-long',
  'unparsable-duration',
  'unparsable-time',
  'ambiguous-local-time',
  'skipped-local-time',
  'end-before-start',
  'fallback-identity',
  'not-a-scalar',
] as const;

/** A warning about a field, with the value as sent if the field itself does not hold it. */
export const Note = z
  .strictObject({
    field: field(text, 'The field, by its name in this record.'),
    reason: field(z.enum(noteReasons), 'What is odd about it.'),
    asSent: field(z.optional(text), 'The value as sent, where the record holds it nowhere else.', { personal: true }),
  })
  .register(z.globalRegistry, { title: 'Note' });
export type Note = z.infer<typeof Note>;
