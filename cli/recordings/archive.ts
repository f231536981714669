import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { CallfeedClient } from '../../client/index.ts';
import { justBefore } from '../../lib/core/time.ts';
import type { RecordingMessage } from '../../lib/recordings/schema.ts';
import { queueDepth } from '../dead-letters/sqs-letters.ts';
import { type BareCommand, command, on, unlessNamed } from '../frame/command.ts';
import { commandLine } from '../frame/deployment.ts';
import { accountOption, dryRunOption, instantOrDayFrom, wholeNumber } from '../frame/options.ts';
import { isDown, Problem } from '../frame/problem.ts';
import { reader } from '../frame/reader.ts';
import { printResult } from '../frame/table.ts';
import { counted } from '../frame/texts.ts';
import { pace } from '../replay/replay-pages.ts';
import { recordingsOf } from './stored-recordings.ts';

/** BatchGetItem takes 100 keys a call. */
const portionSize = 100;

export const archive = command({
  name: 'archive',
  description: 'archives the recordings of calls made before archiving was switched on',
  permissions: [
    on('index `byTime` of the Calls table', 'dynamodb:Query'),
    on('Calls table', 'dynamodb:BatchGetItem'),
    on('recordings’ queue', 'sqs:SendMessage sqs:GetQueueAttributes'),
    unlessNamed,
  ],
  options: (command: BareCommand) =>
    command
      .requiredOption(
        '--from <instant>',
        'calls that started at this instant, or on this day in UTC, or later',
        instantOrDayFrom,
      )
      .requiredOption('--to <instant>', 'and before this instant or day (exclusive)', instantOrDayFrom)
      .addOption(accountOption)
      .option(
        '--rate <number>',
        'the most calls a second: each may make the service send a large file',
        wholeNumber(1, 100),
        5,
      )
      .addOption(dryRunOption),
  help: `Sends every call of the range that may have a recording to the queue of the deployment, the newest first. What is archived already or was
given up stays as it is. After an interruption it prints the command that goes on.

Examples:
  $ callfeed archive --from 2026-11-01 --to 2026-11-21 --dry-run
  $ callfeed archive --from 2026-11-01 --to 2026-11-21 --rate 2`,
  run: async (context, { from, to, account: only, rate, dryRun, json, ...location }) => {
    const { terminal, clock } = context;
    if (from >= to) throw new Problem('--from must be before --to.', 2);
    const { deployment, account: name, client } = await reader(context, { ...location, account: only });
    const { queue } = recordingsOf(deployment);
    const stop = context.interruption();
    const wait = pace(rate, () => clock().getTime());
    const send = async (callId: string) => {
      await wait();
      const message: RecordingMessage = { account: name, callId };
      await deployment.sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: JSON.stringify(message) }));
    };
    const counts = { calls: 0, links: 0 };
    let reached = to;
    const goOn = () =>
      `To go on: ${commandLine(location, 'archive', '--from', from, '--to', reached, '--account', name, '--rate', String(rate))}`;

    try {
      for await (const call of archivableCalls(client, { from, to })) {
        if (stop.aborted) throw new Problem(dryRun ? 'Stopped; nothing was sent.' : `Stopped. ${goOn()}`);
        if (!dryRun) await send(call.callId);
        counts.calls += 1;
        counts.links += call.links;
        // Another call may have the same instant, so the next run begins with this one.
        reached = new Date(Date.parse(call.listedAt) + 1).toISOString();
        terminal.progress(`${counted(counts.calls, 'call')}, down to ${call.listedAt}`);
      }
    } catch (error) {
      if (isDown(error) && !dryRun) terminal.note(goOn());
      throw error;
    }
    const { calls, links } = counts;
    const what = `${counted(calls, 'call')} with ${counted(links, 'link')} to recordings`;
    if (dryRun) return printResult(terminal, json, { wouldBeSent: calls, links }, `Would be sent: ${what}.`);
    printResult(terminal, json, { sent: calls, links }, `Sent: ${what}.`);
    const waiting = counted(await queueDepth(deployment, queue), 'call');
    terminal.note(
      `About ${waiting} in the queue. “callfeed dead-letters list recordings” shows what was asked for in vain.`,
    );
  },
});

/** The calls that may have a recording: with a link in the row, or with an agent, as participants may have one. */
async function* archivableCalls(client: CallfeedClient, { from, to }: Readonly<Record<'from' | 'to', string>>) {
  for await (const { calls } of client.calls({ from, to: justBefore(to) }).pages(portionSize)) {
    const rows = await client.callRows(calls.map(({ callId }) => callId));
    const byId = new Map(rows.map((row) => [row.callId, row]));
    for (const { callId, listedAt } of calls) {
      const { recordings = [], conferenceRecordings = [], agentIds = [] } = byId.get(callId) ?? {};
      const links = new Set([...recordings, ...conferenceRecordings]).size;
      if (links > 0 || agentIds.length > 0) yield { callId, listedAt, links };
    }
  }
}
