import * as z from 'zod';

/** How far a replay has come: the last row that is done with, in the order in which they are read. */
export const Place = z.object({
  table: z.enum(['calls', 'agents']),
  key: z.object({ pk: z.string(), sk: z.string() }).optional(),
});
export type Place = z.infer<typeof Place>;
