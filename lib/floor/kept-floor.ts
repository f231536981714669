import * as z from 'zod';
import { Agent } from '../agent-login/model.ts';
import { field, instant } from '../contract/field.ts';
import { Feed } from '../feed/feed.ts';

/** A part of the whole floor as it was from an instant on, until the next one that was kept. */
export const KeptFloor = z
  .object({
    at: field(instant, 'From when the floor was so.'),
    asOf: field(instant.optional(), 'When it was seen: earlier than `at` where the feed was interrupted then.'),
    status: field(Feed.shape.status, 'Whether the feed was live.'),
    part: field(z.int().nonnegative(), 'Which part this is, counted from 0.'),
    parts: field(z.int().positive(), 'How many parts the floor has: more than one beyond some 1,500 agents.'),
    counts: field(z.record(z.string(), z.int()), 'How many agents were in each state, in all parts together.'),
    agents: field(z.array(Agent).readonly(), 'Everybody who was logged in, by id.'),
  })
  .meta({ title: 'Kept floor' });
export type KeptFloor = Readonly<z.infer<typeof KeptFloor>>;
