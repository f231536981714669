import { jsonAnswer } from '../../http/json-answer.ts';

/** What the service answers to an operation it does not have, and the simulator to anything it does not know. */
export const notFound = jsonAnswer(404, { status: 'error', message: 'Not found' });
