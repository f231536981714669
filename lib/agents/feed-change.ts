import * as z from 'zod/mini';
import { field, instant, text } from '../schema/field.ts';
import { pollProblems } from './feed.ts';

/** The row of one interruption of a feed, or of its end. It is written once and becomes one event. */
export const FeedChange = z
  .object({
    account: field(text, 'The telephony account, by user name.'),
    status: field(z.enum(['live', 'interrupted']), 'The status that the feed entered.'),
    at: field(instant, 'When the feed entered it. An interruption begins when the rows become stale.'),
    asOf: field(z.optional(instant), 'For which instant the rows of agents were true; absent if there were none.'),
    previousSince: field(instant, 'When the feed entered its previous status.'),
    reason: field(z.optional(z.enum(pollProblems)), 'Why the latest poll failed; for interruptions only.'),
    recordedAt: field(instant, 'When this row was written.'),
  })
  .register(z.globalRegistry, { title: 'Agent feed change' });
export type FeedChange = Readonly<z.infer<typeof FeedChange>>;
