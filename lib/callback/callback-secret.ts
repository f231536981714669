import * as z from 'zod';

const error = 'must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~';

/** The secret part of the callback address. Only the telephony service is given that address. */
export const CallbackSecret = z.string({ error }).regex(/^[A-Za-z0-9._~-]{16,128}$/, { error });
