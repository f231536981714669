import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { PollFailure, PollProblem } from '../../lib/agents/feed.ts';
import type { ServiceResponse } from '../../lib/agents/parse-agent-logins.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import type { ReportRequest, ReportService } from '../../lib/reconcile/call-report.ts';
import { retryAfterSeconds } from './telephony-http.ts';

/** How long a request may take, body included, and how large its answer may be. */
export interface ReportHttpSettings {
  readonly timeoutMs: number;
  readonly maxBytes?: number;
}

const defaultMaxBytes = 16 * 1024 * 1024;

type Answer = Result<ServiceResponse, PollFailure>;

/**
 * The call report over HTTP. Practice: it is a GET with a body, which `fetch` refuses to send. A failure has a reason and no
 * error, whose message could hold credentials. A redirect is not followed: the credentials would go to another address.
 */
export const reportHttp = ({ timeoutMs, maxBytes = defaultMaxBytes }: ReportHttpSettings): ReportService => ({
  get: (request) =>
    new Promise((resolve) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const settle = (reason: PollProblem) => resolve(fail({ reason }));
      try {
        const sent = send(request, signal);
        sent.on('response', (response) =>
          readAnswer(response, maxBytes, sent).then(resolve, () => settle(failure(signal))),
        );
        sent.on('error', () => settle(failure(signal)));
        sent.end(request.body);
      } catch {
        settle('unsendable');
      }
    }),
});

const failure = ({ aborted }: AbortSignal): PollProblem => (aborted ? 'timeout' : 'connection');

/** Throws if the address is not HTTP, or a header is not valid in HTTP. */
const send = ({ url, headers, body }: ReportRequest, signal: AbortSignal): ClientRequest => {
  const { protocol } = new URL(url);
  return (protocol === 'https:' ? overHttps : overHttp)(url, {
    method: 'GET',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    signal,
  });
};

const readAnswer = async (response: IncomingMessage, maxBytes: number, sent: ClientRequest): Promise<Answer> => {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400) {
    sent.destroy();
    return fail({ reason: 'redirect' });
  }

  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      sent.destroy();
      return fail({ reason: 'too-large' });
    }
    chunks.push(chunk);
  }
  const retryAfter = new Headers();
  for (const name of ['retry-after', 'date'] as const) if (headers[name]) retryAfter.set(name, headers[name]);
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  return ok({ status, text, retryAfterSeconds: retryAfterSeconds(retryAfter) });
};
