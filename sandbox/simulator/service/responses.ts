import { type Answer, jsonAnswer, type Received } from '../../http/serve.ts';
import type { LoggedIn } from '../floor/live-floor.ts';

/** The errors of the specification, word for word. */
export const errorTexts = {
  noUserName: 'userName should not be empty',
  noApiKey: 'apiKey should not be empty',
  invalid: 'userName or apiKey is Invalid',
  limit: 'Max limit exceeded',
} as const;

/** One of these texts. */
export type ErrorText = (typeof errorTexts)[keyof typeof errorTexts];

/** An error told as a text. Status codes are not specified; practice has 200. */
export const textError = (message: string, status = 200): Answer => jsonAnswer(status, { status: 'error', message });

/** How a wrong, expired or missing token is met. */
export const unauthorised: Answer = jsonAnswer(401, { status: 'false', message: 'Token is missing, wrong or expired' });

/** How another method than POST is met: without JSON. */
export const methodNotAllowed: Answer = {
  status: 405,
  headers: { 'content-type': 'text/plain', allow: 'POST' },
  body: 'Method Not Allowed',
};

/** An agent login record as the specification has it. */
export interface LoginRow {
  readonly AgentId: string;
  readonly AgentName: string;
  readonly PhoneNumber: string;
  readonly AgentState: string;
  readonly SkillName: string;
}

/** The record of somebody who is logged in. */
export const loginRow = ({ id, name, number, state, skills }: LoggedIn): LoginRow => ({
  AgentId: id,
  AgentName: name,
  PhoneNumber: number,
  AgentState: state,
  SkillName: skills.join(', '),
});

/** The success of the specification; `message` may be something else where practice differs. */
export const successAnswer = (message: unknown, others: object = {}): Answer =>
  jsonAnswer(200, { status: 'success', message, ...others });

/** How the service behaves when it is told to misbehave. */
export type ServiceFault = 'none' | 'throttle' | 'error' | 'timeout';

/** What the operations of the service answer under a fault; the promise of no answer is never kept. */
export const faultAnswers: Readonly<Record<Exclude<ServiceFault, 'none'>, () => Promise<Answer>>> = {
  throttle: async () => textError(errorTexts.limit, 429),
  error: async () => textError('Internal error', 500),
  timeout: () => new Promise(() => undefined),
};

/** Counts a request the moment it arrives, and gives what answers it, for the case that it is answered. */
export type Operation = (request: Received) => () => Promise<Answer>;

/** The path of a request, without its query. */
export const pathOf = ({ path }: Pick<Received, 'path'>): string => path.split('?')[0] ?? '/';

/** What the service answers to an operation it does not have, and the simulator to anything it does not know. */
export const notFound = jsonAnswer(404, { status: 'error', message: 'Not found' });
