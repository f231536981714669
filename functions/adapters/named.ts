import * as z from 'zod/mini';

/** The name of something in AWS. */
export const named = z.string().check(z.minLength(1));
