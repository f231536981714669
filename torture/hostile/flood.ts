import type { Receiver } from './receiver.ts';
import { eventOf } from './requests/posted.ts';
import { form } from './requests/usual-carriers.ts';

/** By the README: so many posts of strangers are kept in a minute, however many come. */
const mostKept = 100;

/** What came of many strangers' posts in one minute. */
export interface Flood {
  readonly posts: number;
  readonly kept: number;
  readonly breaches: readonly string[];
}

/** Posts more within a minute than strangers may leave behind. */
export const flood = async ({ receive }: Receiver, posts = mostKept + 50): Promise<Flood> => {
  const events = Array.from({ length: posts }, (_, index) => eventOf(form(`data={"number ${index}`)));
  const { quarantine } = await receive(...events);
  const kept = quarantine.filter(({ body }) => body !== undefined).length;
  const due = Math.min(posts, mostKept);
  const breaches = kept === due ? [] : [`Of ${posts} posts of strangers in a minute ${kept} are kept, and not ${due}`];
  return { posts, kept, breaches };
};
