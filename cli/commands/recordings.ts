import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { Recording } from '../../lib/contract/rows.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { RecordingMessage, textOfProblem } from '../../lib/recordings/schema.ts';
import { accountNames } from '../accounts.ts';
import { wholeNumber } from '../arguments.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import {
  backlogOf,
  type DeadLetter,
  type DeadLetterQueue,
  deadLetters,
  release,
  returnToQueue,
} from '../dead-letters.ts';
import { account, argument, choice, command, flag, withDefault } from '../options.ts';
import { counted, report } from '../output/report.ts';
import { printable } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { clientOf } from '../reader.ts';
import { recordingsOf, retryRecordings, sinceOf } from '../recordings.ts';

const columns = {
  account: 'ACCOUNT',
  callId: 'CALL',
  status: 'STATUS',
  since: 'SINCE',
  attempts: 'ATTEMPTS',
  askAgainAt: 'NEXT ATTEMPT',
  reason: 'REASON',
};

/** `callfeed recordings` */
export const recordingsList = command({
  name: 'list',
  isDefault: true,
  description: 'lists the recordings that were asked for in vain: those that wait, and those that were given up',
  settings: {
    account,
    status: choice('<status>', 'only those', ['waiting', 'given-up']),
    limit: withDefault('<number>', 'the most of each status and account', wholeNumber(1, 100_000), 1_000),
  },
  help: `A recording that is not there yet is asked for again, with growing pauses, for two days. Then it is given up, and its call
becomes a dead letter. One that may never be fetched, such as that of a host that is not in recordingHosts, is given up at once.

Examples:
  $ callfeed recordings
  $ callfeed recordings --status given-up --json | jq -r .reason | sort | uniq -c`,
  run: async (context, options) => {
    const { terminal } = context;
    const deployment = await context.connect(options);
    const archiving = recordingsOf(deployment);
    const statuses = options.status === undefined ? (['given-up', 'waiting'] as const) : [options.status];
    const found: Recording[] = [];
    for (const name of await accountNames(deployment, options.account, terminal.note))
      for (const status of statuses) {
        let count = 0;
        for await (const one of clientOf(context, {}, deployment, name).recordingsInVain(status)) {
          found.push(one);
          count += 1;
          terminal.progress(`${found.length} read`);
          if (count === options.limit) break;
        }
      }
    report(
      terminal,
      options.json,
      columns,
      found.map((one) => rowOf(one, options.json)),
    );
    const { waiting, deadLetters: letters } = await backlogOf(deployment, archiving);
    terminal.note(
      `${counted(found.length, 'recording')} asked for in vain. About ${counted(waiting, 'call')} in the queue, ${counted(letters, 'dead letter')}.`,
    );
  },
});

const rowOf = (one: Recording, isJson: boolean) => {
  const { account: name, callId, recordingId, status, attempts, askAgainAt, problem } = one;
  const reason = problem && (isJson ? problem : `${problem}: ${textOfProblem(problem)}`);
  return {
    ...{ account: name, callId, status, since: sinceOf(one), attempts, askAgainAt, reason },
    ...(isJson && { recordingId }),
  };
};

/** `callfeed recordings retry` */
export const recordingsRetry = command({
  name: 'retry',
  description: 'asks again for recordings that were given up, for another two days',
  settings: {
    callIds: argument('[ids...]', 'the calls, as “callfeed recordings” lists them'),
    all: flag('every call with a recording that was given up, and every dead letter'),
    account,
    dryRun: flag('only count them'),
  },
  help: `First mend what the reason names: add the host to recordingHosts, or raise recordingMaxMegabytes, and deploy. You can run
it again after an interruption.

Examples:
  $ callfeed recordings retry 12345678901234567890
  $ callfeed recordings retry --all`,
  run: async (context, { callIds, all, account: only, dryRun, json, ...location }) => {
    const { terminal, clock } = context;
    if (callIds.length > 0 === all) throw new Problem('Give ids of calls, or --all.', 2);
    const deployment = await context.connect(location);
    const { queue, deadLetters: dead } = recordingsOf(deployment);
    const stop = context.interruption();
    const names = await accountNames(deployment, only, terminal.note);
    const now = clock().toISOString();
    const retried = new Set<string>();
    let recordings = 0;
    /**
     * The rows first: whoever is stopped in between finds the call among the dead letters, or sends it again. Once for each call:
     * a recording may be given up again while the letters of the others are read.
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
    const wanted = ({ account: of, callId, waitingSince }: Letter) =>
      names.includes(of) && (all || callIds.includes(callId)) && waitingSince !== now;
    await retryLetters(from, wanted, (call, letter) => retry(call, () => returnToQueue(from, letter, queue)), dryRun);
    for (const name of names)
      for (const callId of await retriableCalls(context, deployment, name, callIds)) {
        const call = { account: name, callId };
        const send = new SendMessageCommand({ QueueUrl: queue, MessageBody: JSON.stringify(call) });
        if (!retried.has(JSON.stringify(call))) await retry(call, () => deployment.sqs.send(send));
      }
    const calls = retried.size;
    if (json) terminal.print(JSON.stringify(dryRun ? { wouldBeRetried: calls } : { retried: calls, recordings }));
    else if (dryRun) terminal.print(`${counted(calls, 'call')} would be retried.`);
    else terminal.print(`${counted(recordings, 'recording')} of ${counted(calls, 'call')} will be asked for again.`);
    const isRetried = (callId: string) => names.some((name) => retried.has(JSON.stringify({ account: name, callId })));
    const missing = callIds.filter((callId) => !isRetried(callId));
    for (const callId of missing)
      terminal.note(`No recording of a call ${printable(callId)} was given up in ${printable(names.join(', '))}.`);
    context.setExitCode(missing.length > 0 ? 1 : 0);
  },
});

/** A dead letter. One whose recording began to wait at the instant of a retry has been given up since. */
const Letter = z.extend(RecordingMessage, { waitingSince: z.optional(z.string()) });
type Letter = z.infer<typeof Letter>;

/** No more dead letters are read, as all are hidden from other readers meanwhile. */
const maxLetters = 10_000;

/** Retries the calls of the dead letters that are wanted; the others can be received again afterwards. */
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

/** The calls of an account with a recording that was given up: those of these ids, or all if there are none. */
const retriableCalls = async (
  context: RunContext,
  deployment: Deployment,
  name: string,
  callIds: readonly string[],
): Promise<readonly string[]> => {
  const client = clientOf(context, {}, deployment, name);
  const calls = new Set<string>();
  for (const callId of callIds) if ((await client.recordings(callId)).some(isRetriable)) calls.add(callId);
  if (callIds.length === 0) for await (const { callId } of client.recordingsInVain('given-up')) calls.add(callId);
  return [...calls];
};

/** Also one that a run let wait again and may not have sent: it was stopped in between. */
const isRetriable = ({ status, attempts }: Recording): boolean =>
  status === 'given-up' || (status === 'waiting' && attempts === 0);
