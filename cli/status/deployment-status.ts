import type { Freshness } from '../../client/index.ts';
import type { Deployment } from '../connection/deployment.ts';
import { depthOf } from '../parked/dead-letters.ts';
import { type QuarantineCount, quarantineCount } from './quarantine-count.ts';

/** How old the picture of an account's floor is. */
export interface AccountStatus {
  readonly account: string;
  readonly picture: Freshness;
}

/** How a deployment does. Numbers of messages are approximate, as queues tell them. */
export interface DeploymentStatus {
  readonly accounts: readonly AccountStatus[];
  readonly quarantine: QuarantineCount;
  readonly parked: number;
  readonly deadLetters: number;
  readonly bus: string;
  readonly tables: Deployment['tables'];
}

/** Looks at every part of a deployment that tells how it does. */
export const deploymentStatus = async (
  deployment: Deployment,
  accounts: readonly string[],
  feedOf: (account: string) => Promise<Freshness>,
): Promise<DeploymentStatus> => {
  const { queues, tables, bus } = deployment;
  const [pictures, quarantine, parked, deadLetters] = await Promise.all([
    Promise.all(accounts.map(async (account) => ({ account, picture: await feedOf(account) }))),
    quarantineCount(deployment),
    depthOf(deployment, queues.parking),
    depthOf(deployment, queues.deadLetters),
  ]);
  return { accounts: pictures, quarantine, parked, deadLetters, bus: bus.name, tables };
};
