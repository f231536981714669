import * as z from 'zod';
import { Problem } from '../frame/problem.ts';

/** What a sandbox says of a demonstration that it has. */
const Demonstration = z.object({
  days: z.int(),
  daysMade: z.int(),
  problem: z.string().optional(),
  links: z.array(z.object({ text: z.string(), hash: z.string().startsWith('#/') })),
});

const State = z.object({ demo: Demonstration.optional() });

/** The demonstration of a sandbox; an empty answer if it has none. */
export const readDemonstration = async (eventsAddress: string): Promise<z.infer<typeof State>> => {
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(new URL('/_sandbox', eventsAddress), { signal }).catch(() => {
    throw new Problem('The sandbox does not answer.');
  });
  return State.parse(await answer.json());
};
