import * as z from 'zod';
import { kinds } from '../kinds.ts';

/** The body of `POST /_simulator/calls`; an empty body is an empty object. */
export const CallsRequest = z.strictObject({
  /** How many calls. */
  count: z.int().min(1).max(1000).default(1),
  /** A scenario or quirk, shown by every one of them; without it, a mixture. */
  kind: z.enum(kinds).optional(),
  /** The same seed gives the same calls, their times apart. */
  seed: z.int().optional(),
  /** When the first posts are due, as an instant in ISO 8601: the times of the calls follow from it. Now, unless told. */
  at: z.iso.datetime({ offset: true }).optional(),
  /** Multiplies the waits between the posts of a call; 0 sends all in order and answers when all are sent. */
  pace: z.number().min(0).max(100).optional(),
});
export type CallsRequest = z.infer<typeof CallsRequest>;
