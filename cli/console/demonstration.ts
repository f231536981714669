import * as z from 'zod';
import { readState } from './sandbox.ts';

/** What a sandbox says of a demonstration that it has. */
const Demonstration = z.object({
  days: z.int(),
  daysMade: z.int(),
  problem: z.string().optional(),
  links: z.array(z.object({ text: z.string(), hash: z.string().startsWith('#/') })),
});

const State = z.object({ demo: Demonstration.optional() });

/** The demonstration of a sandbox; an empty answer if it has none. */
export const readDemonstration = (eventsAddress: string): Promise<z.infer<typeof State>> =>
  readState(eventsAddress, State);
