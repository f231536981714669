import * as z from 'zod';
import { instant, text } from '../contract/field.ts';

/** Which events are told again. */
export const ReplayRange = z.object({
  /** What was recorded from this instant on. */
  from: instant,
  /** And before this one. */
  to: instant,
  /** Of this account only. */
  account: text.optional(),
  /** Of these types only; none: of all that can be. */
  types: z.array(text).readonly(),
});
export type ReplayRange = z.infer<typeof ReplayRange>;
