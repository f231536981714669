import { ok, type Result } from '../../lib/core/result.ts';
import { type HttpAnswer, type HttpProblem, httpClient, unlessFault } from '../adapters/http-client.ts';
import type { ForwardPorts } from './forward-delivery.ts';

/** How long a connection and a whole post may take, in milliseconds. An address that hangs must not hold up the others for long. */
export const forwardTimeouts = { connectMs: 2_000, wholeMs: 10_000 };

/**
 * Posts forms to addresses of others. A redirect is not followed, because the key would go to another address. The answer is
 * read to its end, as some receivers stop working when nobody listens, and forgotten. Each post has a connection of its own:
 * one from an earlier run of the function may be dead without notice.
 */
export const postForm = (timeouts: typeof forwardTimeouts = forwardTimeouts): ForwardPorts['post'] => {
  const post = httpClient({ ...timeouts, checkUrl: (address): Result<URL, never> => ok(new URL(address)) });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return async (address, body) => {
    const answer = await post(address, { method: 'POST', headers, body });
    if (!answer.ok) return wordOf(answer.problem.problem);
    const read = await unlessFault(readToEnd(answer.value));
    return read.ok ? problemOf(answer.value.status) : wordOf(read.problem.problem);
  };
};

const readToEnd = async ({ body }: HttpAnswer): Promise<void> => {
  for await (const _ of body);
};

const wordOf = (problem: HttpProblem): string => (problem === 'timeout' ? problem : 'connection');

const problemOf = (status: number): string | undefined => {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'redirect' : `status ${status}`;
};
