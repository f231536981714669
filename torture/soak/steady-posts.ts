import { fork, type Random } from '../../sandbox/simulator/random.ts';
import { arrivals } from '../posting/arrivals.ts';
import { atTheirTimes } from '../posting/at-their-times.ts';
import type { postTo } from '../posting/post-to.ts';
import { posts } from '../posting/posts.ts';

/** Posts that go on, and what became of them. */
export interface SteadyPosts {
  /** Resolves when the last was sent. */
  readonly sent: Promise<void>;
  /** The latencies since this was asked last, in milliseconds from when a post was due. */
  readonly latencies: () => readonly number[];
  /** How often each status was answered; 0 is no answer. */
  readonly answers: ReadonlyMap<number, number>;
}

/** How much is posted, and until when at the latest. */
export interface SteadyPostsOptions {
  readonly random: Random;
  readonly rate: number;
  readonly seconds: number;
  readonly post: ReturnType<typeof postTo>['post'];
  readonly signal: AbortSignal;
}

/** Posts as the contact centre does, at a steady rate. */
export const steadyPosts = ({ random, rate, seconds, post, signal }: SteadyPostsOptions): SteadyPosts => {
  const series = posts(fork(random));
  const answers = new Map<number, number>();
  let latencies: number[] = [];

  const send = async (dueAt: number): Promise<void> => {
    const { status = 0 } = (await post(series.next().value)) ?? {};
    latencies.push(performance.now() - dueAt);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  };
  const times = arrivals(fork(random), rate, rate * seconds);

  return {
    sent: atTheirTimes(times, (_index, dueAt) => void send(dueAt), signal),
    latencies() {
      const taken = latencies;
      latencies = [];
      return taken;
    },
    answers,
  };
};
