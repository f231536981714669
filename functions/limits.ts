import { mapValues } from '../lib/core/collections.ts';
import { maxRunSeconds } from '../lib/service/service.ts';

/**
 * The functions by name, which is also their folder: for how long each may run, its memory, and whether it may invoke itself. The
 * share of a processor grows with the memory: `npm run bench -- start` measures it, and `npm run costs` prices it.
 */
const functions = {
  // The whole time of a post, out of which storing, parking and the reply get theirs. API Gateway waits for 30 seconds, 10 of
  // which a start may take. A sender may wait for less, so only posts of hundreds of records take more than some seconds.
  'receive-callback': { seconds: 15, memoryMegabytes: 1_024, isRecursive: false },
  'publish-changes': { seconds: 60, memoryMegabytes: 512, isRecursive: false },
  'recover-callbacks': { seconds: 60, memoryMegabytes: 512, isRecursive: false },
  'poll-agents': { seconds: maxRunSeconds, memoryMegabytes: 512, isRecursive: false },
  // The function sends the message for its next step to its own queue. Lambda would take the chain of messages for an endless loop and
  // stop it after 16 runs: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
  // One whole processor, as some accounts get a day in one answer, which may have 16 MB: 14,000 calls took 540 MB.
  'reconcile-calls': { seconds: 60, memoryMegabytes: 1_769, isRecursive: true },
  // Likewise: a run over the calls' stream sends to the queue from which the function gets its messages.
  'forward-deliveries': { seconds: 60, memoryMegabytes: 512, isRecursive: true },
  // The longest that Lambda allows. A host may be slow, and a call have several recordings.
  // Parts of recordings are in memory, never a whole one; but the share of 256 MB copies too little a second for 5 GB in five minutes.
  'archive-recordings': { seconds: 900, memoryMegabytes: 512, isRecursive: false },
  'transform-events': { seconds: 60, memoryMegabytes: 512, isRecursive: false },
} as const;

export type FunctionName = keyof typeof functions;

export const timeoutSeconds = mapValues(functions, ({ seconds }) => seconds);

export const memoryMegabytes = mapValues(functions, ({ memoryMegabytes }) => memoryMegabytes);

export const isRecursive = (name: FunctionName): boolean => functions[name].isRecursive;
