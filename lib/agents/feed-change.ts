import * as z from 'zod';
import { field, instant, text } from '../schema/field.ts';
import { pollProblems } from './feed.ts';

/** The row of one interruption of a feed, or of its end. It is written once and becomes one event. */
export const FeedChange = z
  .object({
    account: field(text, 'The account of the telephony service, by its user name.'),
    status: field(z.enum(['live', 'interrupted']), 'The status that the feed entered.'),
    at: field(instant, 'When the feed entered it; for an interruption, when the agents’ rows became stale.'),
    asOf: field(instant.optional(), 'The instant that the agents’ rows were true for; absent if there were none yet.'),
    previousSince: field(instant, 'When the feed had entered its status before this one.'),
    reason: field(z.enum(pollProblems).optional(), 'Why the latest poll had failed; for an interruption only.'),
    recordedAt: field(instant, 'When this row was written.'),
  })
  .meta({ title: 'Agent feed change' });
export type FeedChange = Readonly<z.infer<typeof FeedChange>>;
