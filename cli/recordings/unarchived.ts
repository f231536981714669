import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { CallfeedClient } from '../../client/index.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { recordingsKey } from '../../lib/recordings/recording-keys.ts';
import { type Recording, RecordingMessage, textOfProblem } from '../../lib/recordings/schema.ts';
import { backlogOf, type DeadLetter, maxLetters, returnToQueue, takeDeadLetters } from '../dead-letters/sqs-letters.ts';
import type { RunContext } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import { episodesOf } from '../frame/episodes.ts';
import type { AskedHappenings, Happening, ListOptions, RedriveRequest } from '../frame/feature.ts';
import { Problem } from '../frame/problem.ts';
import { accountNames, clientOf } from '../frame/reader.ts';
import type { CallName } from '../frame/rows.ts';
import { printResult, printRows } from '../frame/table.ts';
import { printable } from '../frame/terminal.ts';
import { counted } from '../frame/texts.ts';
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

/** Lists the recordings that were asked for and are not archived: those that wait for another attempt, and those given up. */
export const listUnarchived = async (
  context: RunContext,
  deployment: Deployment,
  { json, account, status, limit }: ListOptions,
): Promise<number> => {
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
  printRows(terminal, json, columns, rows);
  const { waiting, deadLetters } = await backlogOf(deployment, archiving);
  terminal.note(
    `${counted(found.length, 'recording')} asked for in vain. About ${counted(waiting, 'call')} in the queue, ${counted(deadLetters, 'dead letter')}.`,
  );
  return found.filter((one) => one.status === 'given-up').length;
};

/** When recordings were given up, by account and reason. */
export const givenUpSince = async ({
  context,
  deployment,
  accounts,
  since,
}: AskedHappenings): Promise<readonly Happening[]> => {
  const givenUp: Recording[] = [];
  for (const account of accounts)
    for await (const one of clientOf(context, {}, deployment, account).recordingsInVain('given-up'))
      if (sinceOf(one) >= since) givenUp.push(one);
  return episodesOf(givenUp, {
    kindOf: ({ account, problem }) => [account, problem],
    at: sinceOf,
    tell: ({ account, problem }, count) => ({
      account,
      what: 'dead letters',
      text: `${counted(count, 'recording')} could not be fetched for two days${problem === undefined ? '' : ` (${textOfProblem(problem)})`}`,
      command: ['dead-letters', 'list', 'recordings', '--status', 'given-up'],
    }),
  });
};

const rowOf = (one: Recording, isJson: boolean) => {
  const { account: name, callId, recordingId, status, attempts, askAgainAt, problem } = one;
  const reason = problem && (isJson ? problem : `${problem}: ${textOfProblem(problem)}`);
  return {
    account: name,
    callId,
    status,
    since: sinceOf(one),
    attempts,
    askAgainAt,
    reason,
    ...(isJson && { recordingId }),
  };
};

/** Asks again for recordings that were given up. SQS alone would not let their rows wait again, and dead letters expire. */
export const retryUnarchived = async (
  context: RunContext,
  deployment: Deployment,
  { ids, account: only, limit = Number.POSITIVE_INFINITY, dryRun, json }: RedriveRequest,
): Promise<void> => {
  const { terminal, clock } = context;
  const { sqs } = deployment;
  const archiving = recordingsOf(deployment);
  const stop = context.interruption();
  const names = await accountNames(deployment, only, terminal.note);
  const now = clock().toISOString();
  const retried = new Set<string>();
  let recordings = 0;
  /** The rows first, so that the next run can go on after an interruption. Once for each call, though it may be found again. */
  const retry = async (call: CallName, send: () => Promise<unknown>) => {
    if (stop.aborted) throw new Problem(`Stopped after ${counted(retried.size, 'call')}; run the command again.`);
    const isFirst = !retried.has(recordingsKey(call));
    retried.add(recordingsKey(call));
    terminal.progress(`${counted(retried.size, 'call')} done`);
    if (dryRun) return;
    if (isFirst) recordings += await retryRecordings(deployment, call, now);
    await send();
  };
  await takeDeadLetters(sqs, archiving.deadLetters, maxLetters, async (letter) => {
    const call = callIn(letter, now);
    const isNamed = call && names.includes(call.account) && (ids.length === 0 || ids.includes(call.callId));
    if (!isNamed || (retried.size >= limit && !retried.has(recordingsKey(call)))) return false;
    await retry(call, () => returnToQueue(sqs, archiving, { ...letter, body: JSON.stringify(call) }));
    return !dryRun;
  });
  for (const account of names)
    for (const callId of await retriableCalls(clientOf(context, {}, deployment, account), ids)) {
      const call = { account, callId };
      const send = new SendMessageCommand({ QueueUrl: archiving.queue, MessageBody: JSON.stringify(call) });
      if (retried.size < limit && !retried.has(recordingsKey(call))) await retry(call, () => sqs.send(send));
    }
  const calls = counted(retried.size, 'call');
  if (dryRun) printResult(terminal, json, { wouldBeRetried: retried.size }, `${calls} would be retried.`);
  else {
    const text = `${counted(recordings, 'recording')} of ${calls} will be asked for again.`;
    printResult(terminal, json, { retried: retried.size, recordings }, text);
  }
  const isRetried = (callId: string) => names.some((account) => retried.has(recordingsKey({ account, callId })));
  const missing = retried.size < limit ? ids.filter((callId) => !isRetried(callId)) : [];
  for (const callId of missing)
    terminal.note(`No recording of a call ${printable(callId)} was given up in ${printable(names.join(', '))}.`);
  context.setExitCode(missing.length > 0 ? 1 : 0);
};

/** A dead letter. One whose recording began to wait at the instant of a retry has been given up since. */
const Letter = z.extend(RecordingMessage, { waitingSince: z.optional(z.string()) });

const callIn = ({ body }: DeadLetter, now: string): CallName | undefined => {
  const content = Object(tryParseJson(body));
  // A letter of EventBridge is the whole event.
  const { data } = Letter.safeParse(content.detail ?? content);
  return data === undefined || data.waitingSince === now ? undefined : { account: data.account, callId: data.callId };
};

const retriableCalls = async (client: CallfeedClient, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const calls = new Set<string>();
  for (const callId of ids) if ((await client.recordings(callId)).some(isRetriable)) calls.add(callId);
  if (ids.length === 0) for await (const { callId } of client.recordingsInVain('given-up')) calls.add(callId);
  return calls;
};

/** Also one that a run let wait again and may not have sent: it was stopped in between. */
const isRetriable = ({ status, attempts }: Recording): boolean =>
  status === 'given-up' || (status === 'waiting' && attempts === 0);
