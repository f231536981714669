import { setTimeout as pause } from 'node:timers/promises';
import { commandText } from '../../lib/core/command-text.ts';
import { accountNamesFrom, command, on } from '../command.ts';
import { pace, replay as replayUseCase } from '../operate/replay.ts';
import { Problem } from '../problem.ts';
import { planReplay, removeState, replayOptions, writeState } from '../replay/plan.ts';
import { markForReplay, replayedRows, replayPages } from '../replay/rows.ts';

export const replay = command({
  name: 'replay',
  description: 'publishes past events again, with the same id and a “replayedAt”',
  permissions: [
    on('Calls table', 'dynamodb:Scan dynamodb:UpdateItem'),
    on('Agents table', 'dynamodb:Query dynamodb:UpdateItem'),
    accountNamesFrom('unless `--account` is given, or `--type` selects no events of the feed'),
  ],
  options: replayOptions,
  help: `The publisher sends the event of the latest revision of each row again: of calls, participants, archived recordings and interruptions of the
feed. A call that was revised after --to is outside the range. Events of agents have no rows: the command prints how EventBridge’s archive
replays them. Every subscriber gets the events; those that drop known ids notice nothing. After Ctrl-C or an error, a file has the progress,
and the command prints how to continue; no row makes a second event.

Examples:
  $ callfeed replay --from 2026-11-20T06:00:00Z --to 2026-11-20T09:00:00Z --dry-run
  $ callfeed replay --from 2026-11-20 --to 2026-11-21 --account acme --type "Call Participant Recorded" --rate 20`,
  moreHelp: `

The whole table of calls is read once, at half a read unit for each 4 KB. Marking a row takes a write unit for each KB of it.`,
  run: async (context, request) => {
    const { terminal, clock } = context;
    const { dryRun: isDryRun } = request;
    const { deployment, state, file, after } = await planReplay(request, context);
    const { range, replayedAt, rate } = state;
    const saveProgress = (position: typeof state.position) => writeState(file, { ...state, position });
    const howToContinue = `To continue: ${commandText(['npx', 'callfeed', 'replay', '--resume', file])}`;
    const startedAt = clock().getTime();
    if (!isDryRun) saveProgress(state.position);

    const run = replayUseCase({
      others: replayedRows,
      pages: replayPages(deployment, terminal),
      markForReplay: markForReplay(deployment),
      pace: pace(rate, { now: () => clock().getTime(), pause }),
      onPosition: (position) => !isDryRun && saveProgress(position),
      onProgress: ({ read, replayed }) => {
        const seconds = Math.max(1, (clock().getTime() - startedAt) / 1000);
        terminal.progress(`${read} rows read, ${replayed} replayed, ${Math.round(replayed / seconds)} a second`);
      },
    });
    const signal = context.interruption();
    const { read, replayed, skipped, stoppedAt } = await run({
      range,
      replayedAt: isDryRun ? undefined : replayedAt,
      after,
      signal,
    }).catch((error: unknown) => {
      if (!isDryRun) terminal.note(howToContinue);
      throw error;
    });
    if (stoppedAt !== undefined && isDryRun) throw new Problem('Stopped; nothing was written.');
    if (stoppedAt !== undefined) {
      saveProgress(stoppedAt);
      throw new Problem(`Stopped after ${replayed} replayed. ${howToContinue}`);
    }
    if (!isDryRun) removeState(file);

    if (request.json) {
      const counts = isDryRun ? { wouldBeReplayed: replayed } : { replayed, replayedAt };
      terminal.print(JSON.stringify({ ...counts, skipped, read }));
    } else
      terminal.print(
        isDryRun
          ? `${replayed} would be replayed; ${read} rows read.`
          : `${replayed} replayed, marked ${replayedAt}; ${skipped} skipped because they were revised or deleted meanwhile; ${read} rows read.`,
      );
  },
});
