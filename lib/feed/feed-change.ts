import * as z from 'zod';
import { field, instant, text } from '../contract/field.ts';
import { pollProblems } from './problem.ts';

/** The row that remembers an interruption of a feed, or its end. It is written once, and makes one event. */
export const FeedChange = z
  .object({
    account: field(text, 'The account of the telephony service, by its user name.'),
    status: field(z.enum(['live', 'interrupted']), 'What became of the feed.'),
    at: field(instant, 'When it did: of an interruption, when the picture became stale.'),
    asOf: field(instant.optional(), 'The instant that the agents’ rows were true for; absent if there were none yet.'),
    previousSince: field(instant, 'Since when it had been what it was before.'),
    reason: field(z.enum(pollProblems).optional(), 'Why the latest poll had failed; of an interruption only.'),
    recordedAt: field(instant, 'When this was written.'),
  })
  .meta({ title: 'Agent feed change' });
export type FeedChange = Readonly<z.infer<typeof FeedChange>>;
