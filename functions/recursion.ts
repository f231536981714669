import type { FunctionName } from './timeouts.ts';

/**
 * The functions that may send to a queue from which they get their messages. Lambda would take their chains of messages for
 * an endless loop and stop them after 16 runs, so the stack allows these functions, and no others, to go on.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
const recursive: readonly FunctionName[] = ['forward-deliveries', 'reconcile-calls'];

/** Whether a function may continue a chain of its own messages for as long as it likes. */
export const isRecursive = (name: FunctionName): boolean => recursive.includes(name);
