import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import * as z from 'zod';
import { replay as replayUseCase } from '../../lib/publish/replay.ts';
import { eventTypes, instantOrDayFrom, wholeNumber } from '../arguments.ts';
import type { RunContext } from '../context.ts';
import { Options } from '../options.ts';
import { Problem } from '../problem.ts';
import { planReplay, type ReplayRequest, removeState, writeState } from '../replay/plan.ts';
import { markForReplay, replayPages } from '../replay/rows.ts';

/** What pacing takes of the world. */
export interface PaceClock {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Lets pass so many a second at most, evenly: what was not used of a second is not made up for in the next. */
export const pace = (perSecond: number, { now, pause }: PaceClock): (() => Promise<void>) => {
  const step = 1000 / perSecond;
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const wait = next - now();
    next = Math.max(next, now()) + step;
    if (wait > 0) await pause(wait);
  };
};

const ReplayOptions = Options.extend({
  from: z.string().optional(),
  to: z.string().optional(),
  account: z.string().optional(),
  type: z.array(z.string()).default([]),
  rate: z.int().optional(),
  dryRun: z.boolean().default(false),
  resume: z.string().optional(),
  state: z.string().optional(),
});

/** `callfeed replay` */
export const replay = (program: Command, context: RunContext): void => {
  const command = program
    .command('replay')
    .description('publishes events again, each with its id and marked by “replayedAt”')
    .option('--from <instant>', 'what was recorded from then on', instantOrDayFrom)
    .option('--to <instant>', 'and before then', instantOrDayFrom)
    .option('--account <name>', 'of this account only')
    .option('--type <type>', 'events of this detail-type only; may be given several times', eventTypes)
    .option('--rate <number>', 'at most so many events a second (default: 100)', wholeNumber(1, 1_000))
    .option('--dry-run', 'count, and write nothing')
    .option('--state <file>', 'where to keep how far it has come (default: callfeed-replay-INSTANT.json, here)')
    .option('--resume <file>', 'go on with a replay that was cut off, from what it kept there')
    .addHelpText(
      'after',
      `
The rows of calls, participants and interruptions of the feed are marked, and the publisher tells each as it stands:
the event of its latest revision, as it was. Events of earlier revisions are not told again, and a call that was revised
after --to is not in the range any more. Events of agents tell of moments: EventBridge's archive has them.

The table of calls is read once as a whole, which costs half a read unit for each 4 KB of it, and a write unit is taken
for each KB of a row that is told. Every subscriber of the bus gets the events: those who look at “id” drop them.

Examples:
  $ callfeed replay --from 2026-11-20T06:00:00Z --to 2026-11-20T09:00:00Z --dry-run
  $ callfeed replay --from 2026-11-20 --to 2026-11-21 --account acme --type "Call Participant Recorded" --rate 20
  $ callfeed replay --resume callfeed-replay-20261121101500000.json`,
    );
  command.action(() => runReplay(context, ReplayOptions.parse(command.optsWithGlobals())));
};

const runReplay = async (context: RunContext, asked: ReplayRequest): Promise<void> => {
  const { terminal, clock } = context;
  const { deployment, state, file, after } = await planReplay(asked, context);
  const { range, replayedAt, rate } = state;
  const keep = (place: typeof state.place) => writeState(file, { ...state, place });
  const goOn = `To go on: npx callfeed replay --resume ${file}`;
  const startedAt = clock().getTime();
  if (!asked.dryRun) keep(state.place);

  const run = replayUseCase({
    pages: replayPages(deployment),
    markForReplay: markForReplay(deployment),
    pace: pace(rate, { now: () => clock().getTime(), pause }),
    onPosition: (place) => !asked.dryRun && keep(place),
    onProgress: ({ read, replayed }) => {
      const seconds = Math.max(1, (clock().getTime() - startedAt) / 1000);
      terminal.progress(`${read} rows read, ${replayed} replayed, ${Math.round(replayed / seconds)} a second`);
    },
  });
  const signal = context.interruption();
  const done = await run({ range, replayedAt: asked.dryRun ? undefined : replayedAt, after, signal }).catch(
    (error: unknown) => {
      if (!asked.dryRun) terminal.note(goOn);
      throw error;
    },
  );
  const { read, replayed, skipped, stoppedAt } = done;
  if (stoppedAt !== undefined && asked.dryRun) throw new Problem('Stopped; nothing was written.');
  if (stoppedAt !== undefined) {
    keep(stoppedAt);
    throw new Problem(`Stopped after ${replayed} replayed. ${goOn}`);
  }
  if (!asked.dryRun) removeState(file);

  if (asked.json)
    terminal.print(
      JSON.stringify({ ...(asked.dryRun ? { wouldBeReplayed: replayed } : { replayed, replayedAt }), skipped, read }),
    );
  else
    terminal.print(
      asked.dryRun
        ? `${replayed} would be replayed; ${read} rows read.`
        : `${replayed} replayed, marked ${replayedAt}; ${skipped} skipped because they were revised or deleted meanwhile; ${read} rows read.`,
    );
};
