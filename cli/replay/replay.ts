import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import * as z from 'zod';
import type { EventType } from '../../lib/contract/events.ts';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { commandText } from '../../lib/core/command-text.ts';
import { accountNamesFrom, type BareCommand, command, type OptionsOf, on, type RunContext } from '../frame/command.ts';
import { type DeploymentLocation, defaultStack } from '../frame/deployment.ts';
import { dryRunOption, eventTypesOption, instantOrDayFrom, wholeNumber } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { printResult } from '../frame/table.ts';
import { pace, ReplayPosition, ReplayRange, replayableTypes, runReplay as replayRows } from './replay-pages.ts';
import { markForReplay, publishesRecordings, replayPages } from './replay-rows.ts';

const ofRecordings: EventType = 'Call Recording Archived';

/** Region, profile and rate may change when a replay is resumed, because credentials expire; everything else was saved. */
const saved = ['from', 'to', 'account', 'type', 'dryRun', 'state'];

const options = (command: BareCommand) =>
  command
    .option('--from <instant>', 'events recorded at this instant or later', instantOrDayFrom)
    .option('--to <instant>', 'events recorded before this instant (exclusive)', instantOrDayFrom)
    .option('--account <name>', 'only this account')
    .addOption(eventTypesOption)
    .option('--rate <number>', 'the most events a second (default: 100)', wholeNumber(1, 1_000))
    .addOption(dryRunOption)
    .option('--state <file>', 'where to save the progress (default: callfeed-replay-INSTANT.json, here)')
    .addOption(
      new Option('--resume <file>', 'continue an interrupted replay from its saved progress').conflicts(saved),
    );
export type ReplayRequest = OptionsOf<typeof options>;

export const replay = command({
  name: 'replay',
  description: 'publishes past events again, with the same id and a “replayedAt”',
  permissions: [
    on('Calls table', 'dynamodb:Scan dynamodb:UpdateItem'),
    on('Agents table', 'dynamodb:Query dynamodb:UpdateItem'),
    accountNamesFrom('unless `--account` is given, or `--type` selects no events of the feed'),
  ],
  options,
  help: `The publisher sends the event of the latest revision of each row again: of calls, participants, archived recordings and interruptions of the
feed. A call that was revised after --to is outside the range. Events of agents have no rows: the command prints how EventBridge’s archive
replays them. Every subscriber gets the events; those that drop known ids notice nothing. After Ctrl-C or an error, a file has the progress,
and the command prints how to continue; no row makes a second event.

Examples:
  $ callfeed replay --from 2026-11-20T06:00:00Z --to 2026-11-20T09:00:00Z --dry-run
  $ callfeed replay --from 2026-11-20 --to 2026-11-21 --account acme --type "Call Participant Recorded" --rate 20`,
  run: async (context, request) => {
    const { terminal, clock } = context;
    const { dryRun: isDryRun } = request;
    const { deployment, state, file } = await planReplay(request, context);
    const { range, replayedAt, rate, position: begin } = state;
    const saveProgress = (position: ReplayPosition) => {
      if (!isDryRun) writeState(file, { ...state, position });
    };
    const howToContinue = `To continue: ${commandText(['npx', 'callfeed', 'replay', '--resume', file])}`;
    const now = () => clock().getTime();
    const startedAt = now();
    const signal = context.interruption();
    const wait = pace(rate, now);
    const mark = markForReplay(deployment, replayedAt);
    saveProgress(begin);

    const { read, replayed, skipped, stoppedAt } = await replayRows({
      pages: replayPages(deployment, terminal, range, begin),
      range,
      begin,
      signal,
      async mark(table, row) {
        if (isDryRun) return 'replayed';
        await wait();
        return mark(table, row);
      },
      onPosition: saveProgress,
      onProgress: (counts) => {
        const perSecond = Math.round(counts.replayed / Math.max(1, (now() - startedAt) / 1000));
        terminal.progress(`${counts.read} rows read, ${counts.replayed} replayed, ${perSecond} a second`);
      },
    }).catch((error: unknown) => {
      if (!isDryRun) terminal.note(howToContinue);
      throw error;
    });
    if (stoppedAt !== undefined)
      throw new Problem(
        isDryRun ? 'Stopped; nothing was written.' : `Stopped after ${replayed} replayed. ${howToContinue}`,
      );
    if (!isDryRun) rmSync(file, { force: true });

    const counts = isDryRun ? { wouldBeReplayed: replayed } : { replayed, replayedAt };
    const text = isDryRun
      ? `${replayed} would be replayed`
      : `${replayed} replayed, marked ${replayedAt}; ${skipped} skipped because they were revised or deleted meanwhile`;
    printResult(terminal, request.json, { ...counts, skipped, read }, `${text}; ${read} rows read.`);
  },
});

type PlanContext = Pick<RunContext, 'connect' | 'clock'>;

/** The rows to replay, what is saved of the progress, and in which file. */
export const planReplay = (request: ReplayRequest, context: PlanContext) =>
  request.resume === undefined ? planNew(request, context) : planResumed(request, request.resume, context);

const planNew = async (request: ReplayRequest, { connect, clock }: PlanContext) => {
  const { stack, endpoint, region, profile, from, to, account, rate = 100 } = request;
  if (from === undefined || to === undefined) throw new Problem('Give --from and --to, or --resume.', 2);
  if (from >= to) throw new Problem('--from must be before --to.', 2);

  const location = withoutUndefined({ stack, endpoint, region, profile });
  const deployment = await connect(location);
  const types = replayableOnly(request.type ?? [], () => deployment.fromArchive(from, to));
  if (types.includes(ofRecordings) && !publishesRecordings(deployment))
    throw new Problem(`“${ofRecordings}” events need recordings=archive: nothing publishes them now.`, 2);
  const replayedAt = clock().toISOString();
  const file = request.state ?? `callfeed-replay-${replayedAt.replace(/\D/g, '')}.json`;
  if (!request.dryRun && existsSync(file))
    throw new Problem(`${file} exists already. If it is from a replay, --resume it; or name another --state.`, 2);
  const range = { from, to, types, ...(account !== undefined && { account }) };
  const table = deployment.tables.calls;
  const state: ReplayState = { location, table, range, replayedAt, rate, position: { table: 'calls' } };
  return { deployment, state, file };
};

const replayableOnly = (types: readonly string[], fromArchive: () => string): readonly string[] => {
  const replayable: readonly string[] = Object.values(replayableTypes).flat();
  const other = types.find((type) => !replayable.includes(type));
  if (other === undefined) return types;
  throw new Problem(`“${other}” events have no rows. To get what was published then: ${fromArchive()}`, 2);
};

const planResumed = async (request: ReplayRequest, file: string, { connect }: PlanContext) => {
  const { rate, region, profile } = request;
  const read = readState(file);
  const otherDeployment = new Problem(`${file} is from a replay of another deployment.`, 2);
  if (isOtherDeployment(request, read.location)) throw otherDeployment;
  const location = { ...read.location, ...withoutUndefined({ region, profile }) };
  const state = { ...read, location, rate: rate ?? read.rate };
  const deployment = await connect(location);
  if (deployment.tables.calls !== read.table) throw otherDeployment;
  return { deployment, state, file };
};

/** Whether the options name another deployment. The default stack looks like an option that was not given. */
const isOtherDeployment = ({ endpoint, stack }: DeploymentLocation, saved: DeploymentLocation): boolean =>
  (endpoint !== undefined && endpoint !== saved.endpoint) || (stack !== defaultStack && stack !== saved.stack);

const ReplayState = z.object({
  location: z.object({
    stack: z.string(),
    endpoint: z.string().optional(),
    region: z.string().optional(),
    profile: z.string().optional(),
  }),
  /** The name of the table of calls. It identifies the deployment: region and credentials may come from the shell. */
  table: z.string(),
  range: ReplayRange,
  replayedAt: z.string(),
  rate: z.int().positive(),
  position: ReplayPosition,
});
export type ReplayState = z.infer<typeof ReplayState>;

const readState = (file: string): ReplayState => {
  try {
    return ReplayState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new Problem(`${file} cannot be read, or was not saved by an interrupted replay.`, 2);
  }
};

/** Saves the progress, for this user only: it holds keys of rows. After a crash in between, the former file is intact. */
export const writeState = (file: string, state: ReplayState): void => {
  const next = `${file}.next`;
  try {
    writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
    renameSync(next, file);
  } catch {
    throw new Problem(`${file}, which should hold the progress, cannot be written: name another --state.`);
  }
};
