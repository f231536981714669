import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import type { Simulator } from '../../../sandbox/simulator/index.ts';
import type { Clients } from './clients.ts';
import type { Outputs } from './deployment.ts';

/** A callback as the telephony service sends it, as text: JavaScript cannot hold the digits of its ids. */
export const example = (name: 'call-summary' | 'with-disposition' | 'poorer-copy' | 'advanced-callback'): string =>
  readFileSync(join(import.meta.dirname, '../../../sandbox/examples', `${name}.json`), 'utf8');

export const account = { userName: 'demo', apiKey: 'demo-key' };

/** The one host whose recordings are archived. No example has recordings there. */
export const recordingHost = 'archive.example.com';

/** The personal data of the examples: numbers, names, a comment, recordings. */
export const personalTexts = ['090000000', 'Asha', 'Ravi', 'Wants a call back', 'recordings.example.com'];

export const callSummary = (callId: string): string =>
  JSON.stringify({
    monitorUCID: callId,
    UserName: account.userName,
    Apikey: account.apiKey,
    Type: 'Inbound',
    Status: 'Answered',
    AgentID: 'asha',
    CallerID: '09000000044',
    StartTime: '2026-11-20 12:00:00',
    EndTime: '2026-11-20 12:02:00',
    CallDuration: '00:02:00',
  });

/** The events that a subscriber gets, by their cause: type, call or agent, revision or version. */
export const expectedEvents = {
  ofPosts: [
    'Call Summary Recorded 12345678901234567890 1',
    'Call Summary Revised 12345678901234567890 2',
    'Call Summary Recorded 41781234567890123 1',
    'Call Participant Recorded 41781234567890123 1',
  ],
  ofAgents: [
    'Agent Logged In asha 1',
    'Agent State Changed asha 2',
    'Agent Logged In ravi 1',
    'Agent Logged Out ravi 2',
  ],
  ofRecordings: ['Call Summary Recorded 51781234567890010 1', 'Call Recording Archived 51781234567890010 1'],
  ofParked: ['Call Summary Recorded 51781234567890001 1'],
  ofForwarded: [
    'Call Summary Recorded 51781234567890005 1',
    'Call Summary Revised 51781234567890005 2',
    'Call Summary Recorded 51781234567890006 1',
    'Call Participant Recorded 51781234567890006 1',
  ],
  ofRelease: ['Call Summary Recorded 51781234567890004 1'],
  ofNextVersion: ['Call Summary Recorded 51781234567890003 1'],
} as const;

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
