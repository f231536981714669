import * as z from 'zod/mini';

/** For how many days rows are kept, as text in the environment. */
export const retentionDays = (byDefault: string) =>
  z.pipe(
    z._default(z.string().check(z.regex(/^[1-9]\d{0,4}$/, 'Expected whole days from 1 to 99999')), byDefault),
    z.transform(Number),
  );
