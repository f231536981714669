import { maxRunSeconds } from '../lib/telephony/service/service.ts';

/**
 * How long each function may run, in seconds. The receiver's time is short because the sender waits for it. Everything has
 * to fit, including the parking of what a slow table did not store in time.
 */
export const timeoutSeconds = {
  'receive-callback': 10,
  'publish-changes': 60,
  'recover-callbacks': 60,
  'poll-agents': maxRunSeconds,
  'reconcile-calls': 60,
  'forward-deliveries': 60,
  // The longest that Lambda allows. A host may be slow, and a call have several recordings.
  'archive-recordings': 900,
  'transform-events': 60,
} as const;

/** The name of a function, which is also its folder. */
export type FunctionName = keyof typeof timeoutSeconds;
