import { jsonAnswer } from '../../http/json-answer.ts';
import type { Answer } from '../../http/serve.ts';

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
