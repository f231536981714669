import { commandText } from '../../lib/core/command-text.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { RunContext } from './command.ts';
import type { Deployment } from './deployment.ts';

export const ownVersion: string = manifest.version;

/** What to call the version of a deployment that names none. */
export const unnamedVersion = 'before 1.0.0';

const numbersOf = (version: string): readonly [number, number, number] | undefined => {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
};

/** How much newer this command line is than a deployment: negative if it is older; undefined where one of the two is no version. */
const comparisonOf = (own: string, deployed: string) => {
  const mine = numbersOf(own);
  const theirs = numbersOf(deployed);
  if (mine === undefined || theirs === undefined) return undefined;
  const newer = mine[0] - theirs[0] || mine[1] - theirs[1] || mine[2] - theirs[2];
  return { newer, isSameMajor: mine[0] === theirs[0], deployedMajor: theirs[0] };
};

const upgradingPage = 'docs/upgrading.md';

/**
 * The section of the pages that says what to do first; undefined where a deployment is not older than this command line. A
 * deployment that names no version is of before 1.0.0, which was the first to name its own.
 */
export const upgradeNotes = (own: string, deployed: string | undefined): string | undefined => {
  const compared = comparisonOf(own, deployed ?? '0.0.0');
  if (compared === undefined || compared.newer <= 0) return undefined;
  const { isSameMajor, deployedMajor } = compared;
  if (deployedMajor === 0) return `${upgradingPage}#from-before-100`;
  return isSameMajor ? upgradingPage : `${upgradingPage}#from-${deployedMajor}-to-${deployedMajor + 1}`;
};

/** Why a command line does not fit a deployment, if so: of another major version, or older than it and blind to what is new. */
export const misfit = (own: string, deployed: string): string | undefined => {
  const compared = comparisonOf(own, deployed);
  if (compared === undefined || (compared.isSameMajor && compared.newer >= 0)) return undefined;
  const notes = upgradeNotes(own, deployed);
  const upgrade = notes === undefined ? '' : `Upgrade the deployment; ${notes} says what to do first. `;
  return `This is callfeed ${own}, and the deployment is ${deployed}: what is shown may be incomplete. ${upgrade}${upgrade === '' ? 'Use' : 'Or use'} the command line of that version: in the folder that you deploy from, or after: ${commandText(['npm', 'install', `./callfeed-${deployed}.tgz`])}`;
};

export const connectAndCompare =
  ({ connect, terminal }: Pick<RunContext, 'connect' | 'terminal'>): RunContext['connect'] =>
  async (location): Promise<Deployment> => {
    const deployment = await connect(location);
    const problem = deployment.version === undefined ? undefined : misfit(ownVersion, deployment.version);
    if (problem !== undefined) terminal.note(problem);
    return deployment;
  };
