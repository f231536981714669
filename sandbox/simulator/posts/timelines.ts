import type { Call } from '../floor/call.ts';
import { between, type Choosable, pick, type Random } from '../random.ts';
import type { Post } from './post.ts';

/** The state of a call at the time of one post. */
export interface Version {
  readonly afterSeconds: number;
  readonly call: Call;
}

/** A quirk that posts several versions of one call. */
export interface Timeline extends Choosable {
  /** Whether the first version is sent before the agent has wrapped up. */
  readonly wrapsUpLater: boolean;
  readonly versions: (random: Random, call: Call) => readonly Version[];
}

const withDisposition = (call: Call, disposition: string): Call => ({
  ...call,
  wrapUpSeconds: 0,
  words: { ...call.words, disposition, comments: '' },
});

/** Only calls with an agent have these quirks. */
export const timelines = [
  {
    name: 'late-disposition',
    probability: 0.2,
    wrapsUpLater: true,
    versions: (_, call) => [
      { afterSeconds: 0, call: withDisposition(call, '') },
      { afterSeconds: call.wrapUpSeconds, call },
    ],
  },
  {
    name: 'wrap-up-exceeded',
    probability: 0.06,
    wrapsUpLater: true,
    versions: (_, call) => [
      { afterSeconds: 0, call: withDisposition(call, 'Wrap up time exceeded :120') },
      { afterSeconds: call.wrapUpSeconds, call },
    ],
  },
  {
    name: 'less-complete-later',
    probability: 0.04,
    wrapsUpLater: false,
    versions: (random, call) => [
      { afterSeconds: 0, call },
      { afterSeconds: between(random, 5, 20), call: withLessDetail(call) },
    ],
  },
] as const satisfies readonly Timeline[];

/** The same call as seen by a part of the service that does not know it was answered. */
export const withLessDetail = (call: Call): Call => ({
  ...withDisposition(call, ''),
  scenario: { ...call.scenario, answered: false, recorded: false },
  words: { ...call.words, dialStatus: 'not_answered', agentStatus: 'not_answered', disposition: '', comments: '' },
});

/** A quirk that sends the same body again. */
export interface Repeat extends Choosable {
  readonly copies: (random: Random, posts: readonly Post[]) => readonly Post[];
}

/** The copies are identical byte for byte, as posts have no message id. */
export const repeats = [
  {
    name: 'redelivery',
    probability: 0.06,
    copies: (random, posts) => {
      const post = pick(random, posts);
      const count = between(random, 1, 3);
      return Array.from({ length: count }, (_, index) => ({
        ...post,
        afterSeconds: post.afterSeconds + (index + 1) * between(random, 3, 15),
      }));
    },
  },
  {
    // This happens if the address is configured for the campaign and for the account.
    name: 'twice-at-once',
    probability: 0.04,
    copies: (_, posts) => posts,
  },
] as const satisfies readonly Repeat[];
