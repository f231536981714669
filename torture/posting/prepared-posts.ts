import type { Post } from '../../sandbox/simulator/posts/post.ts';
import type { Random } from '../../sandbox/simulator/random.ts';
import { type Meaning, meaningOf } from './meaning-of.ts';
import { posts } from './posts.ts';

/** A post, and what it means. */
export interface PreparedPost {
  readonly post: Post;
  readonly meaning: Meaning;
}

/** Gives the next so many posts of one endless series; made ahead, so that making them takes no time from sending. */
export const preparedPosts = (random: Random) => {
  const series = posts(random);

  return async (count: number): Promise<readonly PreparedPost[]> => {
    const prepared: PreparedPost[] = [];
    while (prepared.length < count) {
      const post = series.next().value;
      prepared.push({ post, meaning: await meaningOf(post) });
    }
    return prepared;
  };
};
