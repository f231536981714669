import type { ServerResponse } from 'node:http';
import type { Answer } from './serve.ts';

/** Sends an answer. To a HEAD request it goes without its body, of which only the length is told. */
export const writeAnswer = (response: ServerResponse, { status, headers = {}, body = '' }: Answer): void => {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
};
