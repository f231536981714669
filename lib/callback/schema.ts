import * as z from 'zod/mini';
import { field, instant, text } from '../storage/field.ts';

/** A post or record that could not be processed. It is stored without keys until it is redriven or expires. */
export const QuarantineEntry = z
  .object({
    reason: field(text, 'Why it was not processed.'),
    account: field(z.optional(text), 'The account, if known.'),
    viaSecret: field(z.optional(z.literal(true)), 'It came to the secret address; the account is unknown.'),
    keyFingerprints: field(
      z.optional(z.readonly(z.array(text))),
      'The first 8 hexadecimal characters of the SHA-256 of each key in it, if they are not live keys of one account.',
    ),
    body: field(z.string(), 'The decoded content, without keys.', { personal: true }),
    storedAs: field(z.optional(z.literal('gzip')), 'The body is compressed with gzip, and encoded in base64.'),
    bytes: field(z.optional(z.int()), 'The bytes of the body before it was compressed or truncated.'),
    receivedAt: field(instant, 'When it was received.'),
    erasedAt: field(z.optional(instant), 'When a person was erased from the body.'),
  })
  .register(z.globalRegistry, { title: 'Quarantine entry' });
export type QuarantineEntry = z.infer<typeof QuarantineEntry>;
