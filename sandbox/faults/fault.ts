import * as z from 'zod';

/** What can be made to fail. */
export const faultNames = ['dynamodb', 'eventbridge', 'queue', 'provider'] as const;
export type FaultName = (typeof faultNames)[number];

/** How it fails: refused for being too fast, an error on its side, or no answer at all. */
export const faultModes = ['none', 'throttle', 'error', 'timeout'] as const;
export type FaultMode = (typeof faultModes)[number];

/** A fault in force. `rate` is the share of requests it hits. */
export const Fault = z.strictObject({
  mode: z.enum(faultModes),
  rate: z.number().min(0).max(1).default(1),
});
export type Fault = z.infer<typeof Fault>;

/** Whether the text names something that can fail. */
export const isFaultName = (name: string): name is FaultName => faultNames.some((known) => known === name);
