import { existsSync } from 'node:fs';
import { present } from '../../lib/present.ts';
import type { Place } from '../../lib/replay/place.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { Where } from '../connection/where.ts';
import type { RunContext } from '../context.ts';
import { defaultStack } from '../options.ts';
import { Problem } from '../problem.ts';
import { type ReplayState, readState } from './replay-state.ts';
import { typesFrom } from './types-from.ts';

/** What was typed. */
export interface AskedReplay extends Where {
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
export interface PlannedReplay {
  readonly deployment: Deployment;
  readonly state: ReplayState;
  readonly file: string;
  readonly after: Place | undefined;
}

type World = Pick<RunContext, 'connect' | 'clock'>;

const defaultRate = 100;

/** Works out what a command line asks for: a replay of its own, or the rest of one that was cut off. */
export const plannedReplay = (asked: AskedReplay, world: World): Promise<PlannedReplay> =>
  asked.resume === undefined ? begun(asked, world) : resumed(asked, asked.resume, world);

const begun = async (asked: AskedReplay, { connect, clock }: World): Promise<PlannedReplay> => {
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
      where: present(where),
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
const resumed = async (asked: AskedReplay, file: string, { connect }: World): Promise<PlannedReplay> => {
  const { from, to, account, type, dryRun, rate, region, profile } = asked;
  if ([from, to, account, asked.state].some((option) => option !== undefined) || type.length > 0 || dryRun)
    throw new Problem(
      '--resume goes on as it was begun: it takes no other option but --rate, --region and --profile.',
      2,
    );

  const kept = readState(file);
  const elsewhere = new Problem(`${file} is of another deployment than this one.`, 2);
  if (isElsewhere(asked, kept.where)) throw elsewhere;
  const where = { ...kept.where, ...present({ region, profile }) };
  const state = { ...kept, where, rate: rate ?? kept.rate };
  const deployment = await connect(where);
  if (deployment.tables.calls !== kept.table) throw elsewhere;
  return { deployment, state, file, after: kept.place };
};

/** A stack that was not named cannot be told from one by the default name. */
const isElsewhere = ({ endpoint, stack }: Where, kept: Where): boolean =>
  (endpoint !== undefined && endpoint !== kept.endpoint) || (stack !== defaultStack && stack !== kept.stack);
