import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { withoutUndefined } from '../../lib/core/objects.ts';
import { tryParseJson } from '../../lib/core/parse-json.ts';
import { ReplayPosition, ReplayRange, replayableTypes } from '../../lib/publish/replay.ts';
import type { Deployment, DeploymentLocation } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import { defaultStack } from '../options.ts';
import { Problem } from '../problem.ts';

/** What it takes to go on with a replay that was cut off. */
const ReplayState = z.object({
  where: z.object({
    stack: z.string(),
    endpoint: z.string().optional(),
    region: z.string().optional(),
    profile: z.string().optional(),
  }),
  /** The table of calls, by which a deployment is known again: region and credentials may come from the shell. */
  table: z.string(),
  range: ReplayRange,
  replayedAt: z.string(),
  rate: z.int().positive(),
  place: ReplayPosition,
});
export type ReplayState = z.infer<typeof ReplayState>;

/** Reads it from the file in which it was kept. */
const readState = (file: string): ReplayState => {
  const state = ReplayState.safeParse(tryParseJson(readText(file)));
  if (!state.success) throw new Problem(`${file} is no file that an interrupted replay has left.`, 2);
  return state.data;
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Problem(`${file} cannot be read.`, 2);
  }
};

/** Keeps it, for its owner only: keys of rows are in it. Cut off in between, the file is the one before. */
export const writeState = (file: string, state: ReplayState): void => {
  const next = `${file}.next`;
  try {
    writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
    renameSync(next, file);
  } catch {
    throw new Problem(
      `${file}, which is to keep how far the replay has come, cannot be written: name another --state.`,
    );
  }
};

/** Removes it, once the replay is done. */
export const removeState = (file: string): void => rmSync(file, { force: true });

const allReplayable = Object.values(replayableTypes).flat();

/** Detail-types, all of which can be told again by rows; `fromArchive` is how to get the others. */
const typesFrom = (typed: readonly string[], fromArchive: () => string): readonly string[] => {
  const moment = typed.find((type) => !allReplayable.some((one) => one === type));
  if (moment === undefined) return typed;
  throw new Problem(
    `“${moment}” tells of a moment, of which no row is kept. Whatever was published then: ${fromArchive()}`,
    2,
  );
};

/** What was typed. */
export interface ReplayRequest extends DeploymentLocation {
  readonly json: boolean;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly account?: string | undefined;
  readonly type: readonly string[];
  readonly rate?: number | undefined;
  readonly dryRun: boolean;
  readonly resume?: string | undefined;
  readonly state?: string | undefined;
}

/** What is to be done, and where; `after` is the place behind which it goes on. */
export interface ReplayPlan {
  readonly deployment: Deployment;
  readonly state: ReplayState;
  readonly file: string;
  readonly after: ReplayPosition | undefined;
}

type PlanContext = Pick<RunContext, 'connect' | 'clock'>;

const defaultRate = 100;

/** Works out what a command line asks for: a replay of its own, or the rest of one that was cut off. */
export const planReplay = (asked: ReplayRequest, world: PlanContext): Promise<ReplayPlan> =>
  asked.resume === undefined ? planNew(asked, world) : planResumed(asked, asked.resume, world);

const planNew = async (asked: ReplayRequest, { connect, clock }: PlanContext): Promise<ReplayPlan> => {
  const { stack, endpoint, region, profile, from, to, account } = asked;
  if (from === undefined || to === undefined) throw new Problem('Say --from when --to when, or --resume a file.', 2);
  if (from >= to) throw new Problem('--from must be before --to.', 2);

  const where = { stack, endpoint, region, profile };
  const deployment = await connect(where);
  const types = typesFrom(asked.type, () => deployment.fromArchive(from, to));
  const replayedAt = clock().toISOString();
  const file = asked.state ?? `callfeed-replay-${replayedAt.replace(/\D/g, '')}.json`;
  if (!asked.dryRun && existsSync(file))
    throw new Problem(`${file} is there already: --resume it, if it is of a replay, or name another --state.`, 2);
  return {
    deployment,
    state: {
      where: withoutUndefined(where),
      table: deployment.tables.calls,
      range: { from, to, types, ...(account !== undefined && { account }) },
      replayedAt,
      rate: asked.rate ?? defaultRate,
      place: { table: 'calls' },
    },
    file,
    after: undefined,
  };
};

/** Credentials may have to be others by now; everything else is as it was. */
const planResumed = async (asked: ReplayRequest, file: string, { connect }: PlanContext): Promise<ReplayPlan> => {
  const { from, to, account, type, dryRun, rate, region, profile } = asked;
  if ([from, to, account, asked.state].some((option) => option !== undefined) || type.length > 0 || dryRun)
    throw new Problem(
      '--resume goes on as it was begun: it takes no other option but --rate, --region and --profile.',
      2,
    );

  const kept = readState(file);
  const elsewhere = new Problem(`${file} is of another deployment than this one.`, 2);
  if (isOtherDeployment(asked, kept.where)) throw elsewhere;
  const where = { ...kept.where, ...withoutUndefined({ region, profile }) };
  const state = { ...kept, where, rate: rate ?? kept.rate };
  const deployment = await connect(where);
  if (deployment.tables.calls !== kept.table) throw elsewhere;
  return { deployment, state, file, after: kept.place };
};

/** A stack that was not named cannot be told from one by the default name. */
const isOtherDeployment = ({ endpoint, stack }: DeploymentLocation, kept: DeploymentLocation): boolean =>
  (endpoint !== undefined && endpoint !== kept.endpoint) || (stack !== defaultStack && stack !== kept.stack);
