import * as z from 'zod';

/** What the publisher reads from its environment. */
export const PublishChangesEnv = z.object({
  BUS_NAME: z.string().min(1),
});

/** The environment as the stack sets it. */
export type PublishChangesEnv = z.input<typeof PublishChangesEnv>;
