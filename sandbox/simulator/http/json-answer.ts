import type { Answer } from '../../http/serve.ts';

/** An answer in JSON. */
export const jsonAnswer = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: `${JSON.stringify(body)}\n`,
});

/** What the service answers to an operation it does not have, and the simulator to anything it does not know. */
export const notFound: Answer = jsonAnswer(404, { status: 'error', message: 'Not found' });
