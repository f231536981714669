import type { Answer } from './serve.ts';

/** An answer in JSON, in one line unless it is indented for people to read. */
export const jsonAnswer = (status: number, body: unknown, indent = 0): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: `${JSON.stringify(body, null, indent)}\n`,
});
