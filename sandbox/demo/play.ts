import { setImmediate } from 'node:timers/promises';
import { slotSeconds } from '../../functions/poll-agents/rate-limit.ts';
import type { Calendar } from './calendar.ts';
import type { PastDeployment } from './past-deployment.ts';

const slotMs = slotSeconds * 1000;

/** From the begin of a slot to its tick. */
const tickMs = 1_000;

/** After this many polls other work of the process gets a turn. */
const pollsAtOnce = 20;

export interface PlayedTime {
  /** This instant was played before. */
  readonly after: number;
  readonly until: number;
}

/** Posts and polls what the contact centre did in some time, each at its instant, in the order of time. */
export const play = async (
  deployment: Pick<PastDeployment, 'post' | 'poll'>,
  calendar: Pick<Calendar, 'postsBetween'>,
  { after, until }: PlayedTime,
  signal: AbortSignal,
): Promise<void> => {
  const posts = calendar.postsBetween(after, until);
  let next = 0;
  const postUpTo = async (at: number): Promise<void> => {
    for (let post = posts[next]; post !== undefined && post.at <= at; post = posts[next]) {
      await deployment.post(post.at, post.wire);
      next += 1;
    }
  };
  const first = Math.ceil((after + 1 - tickMs) / slotMs) * slotMs + tickMs;
  let polls = 0;
  for (let at = first; at <= until; at += slotMs) {
    await postUpTo(at);
    await deployment.poll(at);
    polls += 1;
    if (polls % pollsAtOnce === 0) await setImmediate();
    signal.throwIfAborted();
  }
  await postUpTo(until);
};
