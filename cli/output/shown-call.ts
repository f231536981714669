import * as z from 'zod';
import { Call, CallParticipant, KeptDelivery } from '../../lib/contract/rows.ts';

/** What a delivery said otherwise has the names of the row's own fields, and is personal where they are. */
const deliveries = (facts: z.ZodObject) => z.array(KeptDelivery.extend({ differs: facts.optional() }));

/** Everything about a call, declared so that what is personal in its deliveries is told apart too. */
export const ShownCall = z.object({
  legs: z.array(Call.extend({ deliveries: deliveries(Call) })),
  participants: z.array(CallParticipant.extend({ deliveries: deliveries(CallParticipant) })),
});
