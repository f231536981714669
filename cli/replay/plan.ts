import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import * as z from 'zod';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { eventTypesOption, instantOrDayFrom, wholeNumber } from '../arguments.ts';
import { type BareCommand, dryRunOption, type OptionsOf, type RunContext } from '../command.ts';
import { type Deployment, type DeploymentLocation, defaultStack } from '../connection/deployment.ts';
import { ReplayPosition, ReplayRange, replayableTypes } from '../operate/replay.ts';
import { Problem } from '../problem.ts';
import { replayedRows } from './rows.ts';

/** Region, profile and rate may change when a replay is resumed, because credentials expire; everything else was saved. */
export const replayOptions = (command: BareCommand) =>
  command
    .option('--from <instant>', 'events recorded at this instant or later', instantOrDayFrom)
    .option('--to <instant>', 'events recorded before this instant', instantOrDayFrom)
    .option('--account <name>', 'only this account')
    .addOption(eventTypesOption)
    .option('--rate <number>', 'the most events a second (default: 100)', wholeNumber(1, 1_000))
    .addOption(dryRunOption)
    .option('--state <file>', 'where to save the progress (default: callfeed-replay-INSTANT.json, here)')
    .addOption(
      new Option('--resume <file>', 'continue an interrupted replay from its saved progress').conflicts([
        'from',
        'to',
        'account',
        'type',
        'dryRun',
        'state',
      ]),
    );
export type ReplayRequest = OptionsOf<typeof replayOptions>;

export interface ReplayPlan {
  readonly deployment: Deployment;
  readonly state: ReplayState;
  readonly file: string;
  readonly after: ReplayPosition | undefined;
}

type PlanContext = Pick<RunContext, 'connect' | 'clock'>;

const defaultRate = 100;

export const planReplay = (request: ReplayRequest, context: PlanContext): Promise<ReplayPlan> =>
  request.resume === undefined ? planNew(request, context) : planResumed(request, request.resume, context);

const planNew = async (request: ReplayRequest, { connect, clock }: PlanContext): Promise<ReplayPlan> => {
  const { stack, endpoint, region, profile, from, to, account } = request;
  if (from === undefined || to === undefined) throw new Problem('Give --from and --to, or --resume.', 2);
  if (from >= to) throw new Problem('--from must be before --to.', 2);

  const location = { stack, endpoint, region, profile };
  const deployment = await connect(location);
  const types = replayableOnly(request.type ?? [], () => deployment.fromArchive(from, to));
  const unpublished = replayedRows.find((one) => types.includes(one.type) && !one.isPublished(deployment));
  if (unpublished !== undefined)
    throw new Problem(`“${unpublished.type}” events need ${unpublished.needs}: nothing publishes them now.`, 2);
  const replayedAt = clock().toISOString();
  const file = request.state ?? `callfeed-replay-${replayedAt.replace(/\D/g, '')}.json`;
  if (!request.dryRun && existsSync(file))
    throw new Problem(`${file} exists already. If it is from a replay, --resume it; or name another --state.`, 2);
  return {
    deployment,
    state: {
      location: withoutUndefined(location),
      table: deployment.tables.calls,
      range: { from, to, types, ...(account !== undefined && { account }) },
      replayedAt,
      rate: request.rate ?? defaultRate,
      position: { table: 'calls' },
    },
    file,
    after: undefined,
  };
};

const allReplayable = Object.values(replayableTypes(replayedRows)).flat();

/** Checks that the rows can replay all of these detail types. `fromArchive` is the way to replay the others. */
const replayableOnly = (types: readonly string[], fromArchive: () => string): readonly string[] => {
  const other = types.find((type) => !allReplayable.some((replayable) => replayable === type));
  if (other === undefined) return types;
  throw new Problem(`“${other}” events have no rows. To get what was published then: ${fromArchive()}`, 2);
};

const planResumed = async (request: ReplayRequest, file: string, { connect }: PlanContext): Promise<ReplayPlan> => {
  const { rate, region, profile } = request;
  const saved = readState(file);
  const otherDeployment = new Problem(`${file} is from a replay of another deployment.`, 2);
  if (isOtherDeployment(request, saved.location)) throw otherDeployment;
  const location = { ...saved.location, ...withoutUndefined({ region, profile }) };
  const state = { ...saved, location, rate: rate ?? saved.rate };
  const deployment = await connect(location);
  if (deployment.tables.calls !== saved.table) throw otherDeployment;
  return { deployment, state, file, after: saved.position };
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
  const state = ReplayState.safeParse(tryParseJson(readText(file)));
  if (!state.success) throw new Problem(`${file} was not saved by an interrupted replay.`, 2);
  return state.data;
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Problem(`${file} cannot be read.`, 2);
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

export const removeState = (file: string): void => rmSync(file, { force: true });
