import type { Post } from '../../../../sandbox/simulator/posts/post.ts';

/** A bare number of a JSON text, as it was written. */
export interface BareNumber {
  readonly digits: string;
}
export type Opened = Readonly<Record<string, string | BareNumber | null>>;

/** Reads a JSON text without rounding any number. */
export const losslessly = (json: string): unknown =>
  JSON.parse(json, ((_key: string, value: unknown, context: { source: string }) =>
    typeof value === 'number' ? { digits: context.source } : value) as (key: string, value: unknown) => unknown);

/** The JSON text in a post, wherever it travels. */
export const jsonOf = ({ contentType, body, query }: Post): string => {
  if (contentType === 'application/json') return body;
  const json = new URLSearchParams(body).get('data') ?? new URLSearchParams(query).get('data');
  if (json === null) throw new Error('The post has no data');
  return json;
};

/** The objects in a post. */
export const opened = (post: Post): readonly Opened[] => {
  const value = losslessly(jsonOf(post));
  return (Array.isArray(value) ? value : [value]) as Opened[];
};

/** The first object in a post. */
export const firstOf = (post: Post | undefined): Opened => {
  const [first] = post === undefined ? [] : opened(post);
  if (first === undefined) throw new Error('There is nothing in the post');
  return first;
};
