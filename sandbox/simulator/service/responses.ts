import type { WireAgentField } from '../../../lib/agents/normalise-agent.ts';
import type { FaultMode } from '../../faults.ts';
import { type Answer, jsonAnswer, type Received } from '../../http/serve.ts';
import type { LoggedIn } from '../floor/live-floor.ts';

/** The error texts of the specification, unchanged. */
export const errorTexts = {
  noUserName: 'userName should not be empty',
  noApiKey: 'apiKey should not be empty',
  invalid: 'userName or apiKey is Invalid',
  limit: 'Max limit exceeded',
} as const;

/** An error text. The specification names no status codes; the service answers 200. */
export const textError = (message: string, status = 200): Answer => jsonAnswer(status, { status: 'error', message });

/** The answer to a wrong, expired or missing token. By the specification all errors have the status "error". */
export const unauthorised = textError('Token is missing, wrong or expired', 401);

/** The answer to methods other than POST. It is not JSON. */
export const methodNotAllowed: Answer = {
  status: 405,
  headers: { 'content-type': 'text/plain', allow: 'POST' },
  body: 'Method Not Allowed',
};

/** An agent login record of the specification. */
export type LoginRow = Readonly<Record<WireAgentField, string>>;

export const loginRow = ({ id, name, number, state, skills }: LoggedIn): LoginRow => ({
  AgentId: id,
  AgentName: name,
  PhoneNumber: number,
  AgentState: state,
  SkillName: skills.join(', '),
});

/** A success as specified. The service's `message` is not always a list. */
export const successAnswer = (message: unknown, others: object = {}): Answer =>
  jsonAnswer(200, { status: 'success', message, ...others });

/** The answers of the operations under a fault. Under `timeout` the promise never settles. */
export const faultAnswers: Readonly<Record<Exclude<FaultMode, 'none'>, () => Promise<Answer>>> = {
  throttle: async () => textError(errorTexts.limit, 429),
  error: async () => textError('Internal error', 500),
  timeout: () => new Promise(() => undefined),
};

/** Counts a request when it arrives. The returned function answers it; a fault may prevent that call. */
export type Operation = (request: Received) => () => Promise<Answer>;

/** The path of a request, without its query. */
export const pathOf = ({ path }: Pick<Received, 'path'>): string => path.split('?')[0] ?? '/';

/** The answer to an unknown operation or path. */
export const notFound = jsonAnswer(404, { status: 'error', message: 'Not found' });
