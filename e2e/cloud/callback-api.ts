import { request } from 'node:http';
import { parsed } from '../../lib/json/parsed.ts';

/** What the deployed API answered: a JSON value, or text that is none. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Requests to the deployed API. */
export interface CallbackApi {
  /** Posts JSON text as the telephony service does, in the form field `data`. */
  readonly post: (json: string) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
}

/** The API at its address. MiniStack tells APIs apart by the header Host: no name server knows their names. */
export const callbackApi = (url: string, endpoint: string): CallbackApi => {
  const { host } = new URL(url);

  const send = (method: string, path: string, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { host, ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }) };
      const sent = request(new URL(path, endpoint), { method, headers }, (response) => {
        response
          .setEncoding('utf8')
          .toArray()
          .then((parts) => {
            const text = parts.join('');
            resolve({ status: response.statusCode ?? 0, body: parsed(text) ?? text });
          }, reject);
      });
      sent.on('error', reject).end(body);
    });

  return {
    post: (json) => send('POST', '/callDetails', new URLSearchParams({ data: json }).toString()),
    get: (path) => send('GET', path),
  };
};
