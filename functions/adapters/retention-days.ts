import * as z from 'zod';

/** For how many days rows are kept, as text in the environment. */
export const retentionDays = (byDefault: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'Expected whole days from 1 to 99999')
    .default(byDefault)
    .transform(Number);
