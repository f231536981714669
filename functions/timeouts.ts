import { maxRunSeconds } from '../lib/agents/rate-limit.ts';

/**
 * How long each function may run, in seconds. The receiver's is short, since whoever posts waits for it: everything it
 * does has to fit, down to parking what a slow table did not take.
 */
export const timeoutSeconds = {
  'receive-callback': 10,
  'publish-changes': 60,
  'recover-callbacks': 60,
  'poll-agents': maxRunSeconds,
} as const;

/** The name of a function: the folder it is in. */
export type FunctionName = keyof typeof timeoutSeconds;
