import { request } from 'node:http';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import type { Simulator } from '../../../sandbox/simulator/index.ts';
import type { Clients } from './clients.ts';
import type { Outputs } from './deployment.ts';

export interface TestContext {
  /** The address of the emulated AWS. */
  readonly endpoint: string;
  readonly clients: Clients;
  readonly outputs: Outputs;
  readonly api: CallbackApi;
  readonly simulator: Simulator;
  readonly subscriber: Subscriber;
}

/** The answer of the deployed API. `body` is a JSON value, or the text if it is not JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface CallbackApi {
  /** Posts JSON text as the telephony service does, in the form field `data`. */
  readonly post: (json: string, path?: string) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
}

/** The API at its address. MiniStack finds the API by the header Host, since no name server knows its name. */
export const callbackApi = (url: string, endpoint: string): CallbackApi => {
  const { host } = new URL(url);

  const send = (method: string, path: string, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { host, ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }) };
      // Not `new URL(path, endpoint)`, in which a path with two slashes at its beginning is a host.
      const sent = request(`${endpoint}${path}`, { method, headers }, (response) => {
        response
          .setEncoding('utf8')
          .toArray()
          .then((parts) => {
            const text = parts.join('');
            resolve({ status: response.statusCode ?? 0, body: tryParseJson(text) ?? text });
          }, reject);
      });
      sent.on('error', reject).end(body);
    });

  return {
    post: (json, path = '/callDetails') => send('POST', path, new URLSearchParams({ data: json }).toString()),
    get: (path) => send('GET', path),
  };
};

export const Event = z.object({
  id: z.string(),
  source: z.string(),
  'detail-type': z.string(),
  detail: z.looseObject({ id: z.string() }),
});

export type Event = Readonly<z.infer<typeof Event>>;

export interface Subscriber {
  readonly events: () => Promise<readonly Event[]>;
}
