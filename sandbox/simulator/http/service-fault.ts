import type { Reply } from './routes.ts';

/** How the service behaves when it is told to misbehave. */
export type Fault = 'none' | 'throttle' | 'error' | 'timeout';

/** What the operations of the service answer under a fault; `silence` is no answer at all. */
export const faultReplies: Readonly<Record<Exclude<Fault, 'none'>, Reply | 'silence'>> = {
  throttle: { status: 429, body: { status: 'error', message: 'Max limit exceeded' } },
  error: { status: 500, body: { status: 'error', message: 'Internal error' } },
  timeout: 'silence',
};

/** Whether a path belongs to the service itself, and not to the control of the simulator. */
export const isOperation = (route: string): boolean => / \/ca_apis\//.test(route);
