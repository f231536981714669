import type { Account } from '../../../../lib/accounts/accounts.ts';
import { createFloor } from '../../../../sandbox/simulator/floor.ts';
import type { Post } from '../../../../sandbox/simulator/posts.ts';
import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { type Kind, type SimulatedCall, simulatedCall } from '../../../../sandbox/simulator/simulated-call.ts';

export const apiKey = 'key-of-the-demo-account';
export const account: Account = { userName: 'demo', apiKeys: [apiKey], timeZone: 'Asia/Kolkata' };
export const noon = Date.parse('2026-11-21T12:00:00Z');
export const floor = createFloor(seededRandom(1), 40);

/** The call of a seed. */
export const callOf = (seed: number, kind?: Kind): SimulatedCall =>
  simulatedCall(seededRandom(seed), noon, floor, account, kind);

/** Enough seeds to see every drawn variant. */
export const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

/** A bare number of a JSON text with its exact digits. */
export interface BareNumber {
  readonly digits: string;
}
export type Opened = Readonly<Record<string, string | BareNumber | null>>;

/** Reads a JSON text without rounding any number. */
export const losslessly = (json: string): unknown =>
  JSON.parse(json, ((_key: string, value: unknown, context: { source: string }) =>
    typeof value === 'number' ? { digits: context.source } : value) as (key: string, value: unknown) => unknown);

/** The JSON text in a post, in whatever part of the request. */
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
