import { mapValues } from '../lib/core/collections.ts';
import { maxRunSeconds } from '../lib/service/service.ts';

/** The functions by name, which is also their folder: for how long each may run, and whether it may loop. */
const functions = {
  // Short, because the sender waits for it. Everything has to fit, including the parking of what a slow table did not store.
  'receive-callback': { seconds: 10, mayLoop: false },
  'publish-changes': { seconds: 60, mayLoop: false },
  'recover-callbacks': { seconds: 60, mayLoop: false },
  'poll-agents': { seconds: maxRunSeconds, mayLoop: false },
  // It sends the message for its next step to its own queue. Lambda would take the chain of messages for an endless loop and
  // stop it after 16 runs: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
  'reconcile-calls': { seconds: 60, mayLoop: true },
  // Likewise: a run over the calls' stream sends to the queue from which the function gets its messages.
  'forward-deliveries': { seconds: 60, mayLoop: true },
  // The longest that Lambda allows. A host may be slow, and a call have several recordings.
  'archive-recordings': { seconds: 900, mayLoop: false },
  'transform-events': { seconds: 60, mayLoop: false },
} as const;

export type FunctionName = keyof typeof functions;

export const timeoutSeconds = mapValues(functions, ({ seconds }) => seconds);

export const isRecursive = (name: FunctionName): boolean => functions[name].mayLoop;
