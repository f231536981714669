import { Agent, request } from 'node:http';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import type { Wire } from '../../../sandbox/simulator/posts/post.ts';

const Counts = z.object({
  stored: z.number().default(0),
  duplicates: z.number().default(0),
  quarantined: z.number().default(0),
  parked: z.number().default(0),
  error: z.string().optional(),
});

/** What a post was answered: its status and what the reply counts. */
export type Reply = z.infer<typeof Counts> & { readonly status: number };

/** Longer than the receiver may take for anything. */
const patienceMilliseconds = 15_000;

/** Posts to a receiver over connections that are kept open; `undefined` where there was no whole answer. */
export const createPostClient = (gateway: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

  const send = ({ contentType, body, query }: Wire, isSecondTry: boolean): Promise<Reply | undefined> =>
    new Promise((resolve) => {
      const nobody = (): void => resolve(undefined);
      const url = `${gateway}/callDetails${query === '' ? '' : `?${query}`}`;
      const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(body) };
      const sent = request(url, { method: 'POST', agent, headers, timeout: patienceMilliseconds }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', nobody);
        answer.once('end', () => {
          const counts = Counts.safeParse(tryParseJson(Buffer.concat(chunks).toString()));
          resolve({ status: answer.statusCode ?? 0, ...(counts.data ?? Counts.parse({})) });
        });
      });
      sent.once('timeout', () => sent.destroy());
      sent.once('error', (error) => {
        // A connection that was idle may be closed at the moment at which it is used again: that says nothing of the post.
        const isStale = sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        if (isStale && !isSecondTry) resolve(send({ contentType, body, query }, true));
        else nobody();
      });
      sent.end(body);
    });

  return { post: (wire: Wire) => send(wire, false), close: () => agent.destroy() };
};
