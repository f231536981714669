import type { ServiceAnswer } from '../../../lib/agent-login/answer.ts';
import type { ServiceRequest } from '../../../lib/agent-login/request.ts';
import type { PollFailure, PollProblem } from '../../../lib/feed/problem.ts';
import type { TelephonyService } from '../../../lib/ports.ts';
import { fail, ok, type Result } from '../../../lib/result.ts';

/** What the service says to a request, or why nothing came. */
export type Reply = Result<ServiceAnswer, PollFailure>;

/** An answer over the wire: text as it is, anything else as JSON. */
export const reply = (body: unknown, status = 200, retryAfterSeconds?: number): Reply =>
  ok({ status, text: typeof body === 'string' ? body : JSON.stringify(body), retryAfterSeconds });

/** The records, as the specification answers with them. */
export const success = (message: unknown): Reply => reply({ status: 'success', message });

/** An error, as the specification tells it. */
export const errorText = (message: unknown, status = 200): Reply => reply({ status: 'error', message }, status);

/** A token, as the service's public documentation answers with it. */
export const tokenReply = (token: unknown): Reply => reply({ token });

/** No answer at all. */
export const noReply = (reason: PollProblem): Reply => fail({ reason });

/** A reply, or what makes it when it is due. */
type Said = Reply | (() => Reply);

const isForToken = ({ url }: ServiceRequest): boolean => url.endsWith('/generateToken');

/** Which operation a request is for. */
export const operationOf = (request: ServiceRequest): 'token' | 'logins' => (isForToken(request) ? 'token' : 'logins');

/** A service that says what a test says: each operation's replies in order, the last one over and over. */
export const scriptedService = (script: {
  readonly logins?: readonly Said[];
  readonly token?: readonly Said[];
  /** Called before a request is answered, while it is under way. */
  readonly onRequest?: (request: ServiceRequest) => void | Promise<void>;
}) => {
  const requests: ServiceRequest[] = [];
  const service: TelephonyService = {
    async post(request) {
      const operation = operationOf(request);
      const replies = script[operation] ?? [];
      const before = requests.filter((earlier) => operationOf(earlier) === operation).length;
      requests.push(request);
      await script.onRequest?.(request);
      const said = replies[Math.min(before, replies.length - 1)] ?? noReply('connection');
      return typeof said === 'function' ? said() : said;
    },
  };
  return { ...service, requests, operations: () => requests.map(operationOf) };
};
