import * as z from 'zod';

/** What is measured: the processor's time in milliseconds, or memory in megabytes. */
export const Quantity = z.enum(['time', 'memory']);
export type Quantity = z.infer<typeof Quantity>;

/** One figure of one round. */
export const Reading = z.object({
  subject: z.string(),
  counted: z.string(),
  base: z.int(),
  work: z.string(),
  size: z.int(),
  round: z.int(),
  value: z.number(),
});
export type Reading = z.infer<typeof Reading>;
