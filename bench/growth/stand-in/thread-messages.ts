import * as z from 'zod';

/** What the thread of the tables is asked. */
export const ToThread = z.object({
  id: z.int(),
  ask: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('answer'), operation: z.string(), body: z.string() }),
    z.object({ kind: z.enum(['keep', 'restore']), name: z.string() }),
  ]),
});
export type ToThread = z.infer<typeof ToThread>;

/** What it says when that is done. */
export const FromThread = z.object({
  id: z.int(),
  answer: z.object({ status: z.literal([200, 400]), body: z.string() }).optional(),
});
