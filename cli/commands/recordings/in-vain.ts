import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { Recording } from '../../../lib/contract/rows.ts';
import { tryParseJson } from '../../../lib/core/json.ts';
import { RecordingMessage, textOfProblem } from '../../../lib/recordings/schema.ts';
import type { GlobalOptions, RunContext } from '../../command.ts';
import type { Deployment } from '../../connection/deployment.ts';
import {
  backlogOf,
  type DeadLetter,
  type DeadLetterQueue,
  deadLetters,
  type RedriveOptions,
  release,
  returnToQueue,
} from '../../dead-letters.ts';
import { counted, report } from '../../output/report.ts';
import { printable } from '../../output/terminal.ts';
import { Problem } from '../../problem.ts';
import { accountNames, clientOf } from '../../reader.ts';
import { recordingsOf, retryRecordings, sinceOf } from './stored-recordings.ts';

const columns = {
  account: 'ACCOUNT',
  callId: 'CALL',
  status: 'STATUS',
  since: 'SINCE',
  attempts: 'ATTEMPTS',
  askAgainAt: 'NEXT ATTEMPT',
  reason: 'REASON',
};

interface ListOptions {
  readonly json: boolean;
  readonly account?: string | undefined;
  readonly status?: 'waiting' | 'given-up' | undefined;
  readonly limit: number;
}

/** Lists the recordings that were asked for in vain. Their rows say more than their dead letters. */
export const listInVain = async (
  context: RunContext,
  deployment: Deployment,
  { json, account, status, limit }: ListOptions,
): Promise<void> => {
  const { terminal } = context;
  const archiving = recordingsOf(deployment);
  const statuses = status === undefined ? (['given-up', 'waiting'] as const) : [status];
  const found: Recording[] = [];
  for (const name of await accountNames(deployment, account, terminal.note))
    for (const one of statuses) {
      let count = 0;
      for await (const recording of clientOf(context, {}, deployment, name).recordingsInVain(one)) {
        terminal.progress(`${found.push(recording)} read`);
        count += 1;
        if (count === limit) break;
      }
    }
  const rows = found.map((one) => rowOf(one, json));
  report(terminal, json, columns, rows);
  const { waiting, deadLetters: letters } = await backlogOf(deployment, archiving);
  terminal.note(
    `${counted(found.length, 'recording')} asked for in vain. About ${counted(waiting, 'call')} in the queue, ${counted(letters, 'dead letter')}.`,
  );
};

const rowOf = (one: Recording, isJson: boolean) => {
  const { account: name, callId, recordingId, status, attempts, askAgainAt, problem } = one;
  const reason = problem && (isJson ? problem : `${problem}: ${textOfProblem(problem)}`);
  return {
    ...{ account: name, callId, status, since: sinceOf(one), attempts, askAgainAt, reason },
    ...(isJson && { recordingId }),
  };
};

interface RetryOptions extends GlobalOptions, Omit<RedriveOptions, 'json'> {
  /** All calls with a recording that was given up, if there are none. */
  readonly ids: readonly string[];
  readonly account?: string | undefined;
}

/**
 * Asks again for recordings that were given up. SQS could move their dead letters, but not let their rows wait again; and a
 * call whose dead letter has expired has only its row.
 */
export const retryInVain = async (
  context: RunContext,
  { ids, account: only, limit = Number.POSITIVE_INFINITY, dryRun, json, ...location }: RetryOptions,
): Promise<void> => {
  const { terminal, clock } = context;
  const deployment = await context.connect(location);
  const { queue, deadLetters: dead } = recordingsOf(deployment);
  const stop = context.interruption();
  const names = await accountNames(deployment, only, terminal.note);
  const now = clock().toISOString();
  const retried = new Set<string>();
  let recordings = 0;
  const mayRetry = (call: RecordingMessage) => retried.has(JSON.stringify(call)) || retried.size < limit;
  /**
   * The rows first: after an interruption in between, the next run finds the call among the dead letters, or sends it again. Once for
   * each call: a recording may be given up again while the letters of the others are read.
   */
  const retry = async (call: RecordingMessage, send: () => Promise<unknown>) => {
    if (stop.aborted) throw new Problem(`Stopped after ${counted(retried.size, 'call')}; run the command again.`);
    const isFirst = !retried.has(JSON.stringify(call));
    retried.add(JSON.stringify(call));
    terminal.progress(`${counted(retried.size, 'call')} done`);
    if (dryRun) return;
    if (isFirst) recordings += await retryRecordings(deployment, call, now);
    await send();
  };
  const from = { sqs: deployment.sqs, queues: { deadLetters: dead } };
  const isWanted = ({ account, callId, waitingSince }: Letter) =>
    names.includes(account) &&
    (ids.length === 0 || ids.includes(callId)) &&
    waitingSince !== now &&
    mayRetry({ account, callId });
  await retryLetters(from, isWanted, (call, letter) => retry(call, () => returnToQueue(from, letter, queue)), dryRun);
  for (const account of names)
    for (const callId of await retriableCalls(context, deployment, account, ids)) {
      const call = { account, callId };
      const send = new SendMessageCommand({ QueueUrl: queue, MessageBody: JSON.stringify(call) });
      if (!retried.has(JSON.stringify(call)) && mayRetry(call)) await retry(call, () => deployment.sqs.send(send));
    }
  const calls = retried.size;
  if (json) terminal.print(JSON.stringify(dryRun ? { wouldBeRetried: calls } : { retried: calls, recordings }));
  else if (dryRun) terminal.print(`${counted(calls, 'call')} would be retried.`);
  else terminal.print(`${counted(recordings, 'recording')} of ${counted(calls, 'call')} will be asked for again.`);
  const isRetried = (callId: string) => names.some((account) => retried.has(JSON.stringify({ account, callId })));
  const missing = retried.size < limit ? ids.filter((callId) => !isRetried(callId)) : [];
  for (const callId of missing)
    terminal.note(`No recording of a call ${printable(callId)} was given up in ${printable(names.join(', '))}.`);
  context.setExitCode(missing.length > 0 ? 1 : 0);
};

/** A dead letter. One whose recording began to wait at the instant of a retry has been given up since. */
const Letter = z.extend(RecordingMessage, { waitingSince: z.optional(z.string()) });
type Letter = z.infer<typeof Letter>;

/** No more dead letters are read, as all are hidden from other readers meanwhile. */
const maxLetters = 10_000;

const retryLetters = async (
  from: DeadLetterQueue,
  isWanted: (letter: Letter) => boolean,
  retry: (call: RecordingMessage, letter: DeadLetter) => Promise<void>,
  isDryRun: boolean,
): Promise<void> => {
  const kept: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(from, maxLetters)) {
      const { data } = Letter.safeParse(tryParseJson(letter.body));
      const isChosen = data !== undefined && isWanted(data);
      if (isDryRun || !isChosen) kept.push(letter);
      if (isChosen) await retry({ account: data.account, callId: data.callId }, letter);
    }
  } finally {
    await release(from, kept);
  }
};

const retriableCalls = async (
  context: RunContext,
  deployment: Deployment,
  name: string,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const client = clientOf(context, {}, deployment, name);
  const calls = new Set<string>();
  for (const callId of ids) if ((await client.recordings(callId)).some(isRetriable)) calls.add(callId);
  if (ids.length === 0) for await (const { callId } of client.recordingsInVain('given-up')) calls.add(callId);
  return [...calls];
};

/** Also one that a run let wait again and may not have sent: it was stopped in between. */
const isRetriable = ({ status, attempts }: Recording): boolean =>
  status === 'given-up' || (status === 'waiting' && attempts === 0);
