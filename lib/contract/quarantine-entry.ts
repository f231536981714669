import * as z from 'zod';
import { field, instant, text } from './field.ts';

/** Something that was not understood: kept whole, but for the keys in it, until it is redriven or expires. */
export const QuarantineEntry = z
  .object({
    reason: field(text, 'Why it was not understood.'),
    account: field(text.optional(), 'The account whose key or address it came with; absent where it is not known.'),
    viaSecret: field(z.literal(true).optional(), 'It came to the secret address, though its account is not known.'),
    body: field(z.string(), 'What was sent, decoded, without the keys.', { personal: true }),
    bytes: field(z.int().optional(), 'How long the body was before it was cut; absent where it is whole.'),
    receivedAt: field(instant, 'When it was received.'),
  })
  .meta({ title: 'Quarantine entry' });
export type QuarantineEntry = z.infer<typeof QuarantineEntry>;
