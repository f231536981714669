import type { Answer } from '../../http/serve.ts';
import { errorTexts, textError } from './texts.ts';

/** How the service behaves when it is told to misbehave. */
export type Fault = 'none' | 'throttle' | 'error' | 'timeout';

/** What the operations of the service answer under a fault; the promise of no answer is never kept. */
export const faultAnswers: Readonly<Record<Exclude<Fault, 'none'>, () => Promise<Answer>>> = {
  throttle: async () => textError(errorTexts.limit, 429),
  error: async () => textError('Internal error', 500),
  timeout: () => new Promise(() => undefined),
};
