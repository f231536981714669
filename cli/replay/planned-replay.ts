import { present } from '../../lib/present.ts';
import type { Place } from '../../lib/replay/place.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { Where } from '../connection/where.ts';
import type { RunContext } from '../context.ts';
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
  return {
    deployment,
    state: {
      where: present(where),
      range: { from, to, types, ...(account !== undefined && { account }) },
      replayedAt,
      rate: asked.rate ?? defaultRate,
      place: { table: 'calls' },
    },
    file: asked.state ?? `callfeed-replay-${replayedAt.replace(/\D/g, '')}.json`,
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
  const where = { ...kept.where, ...present({ region, profile }) };
  const state = { ...kept, where, rate: rate ?? kept.rate };
  return { deployment: await connect(where), state, file, after: kept.place };
};
