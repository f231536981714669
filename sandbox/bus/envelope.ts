import * as z from 'zod';

/** An event as EventBridge hands it to a subscriber. */
export const Envelope = z.object({
  version: z.literal('0'),
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  account: z.string(),
  time: z.string(),
  region: z.string(),
  resources: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
});
export type Envelope = z.infer<typeof Envelope>;
