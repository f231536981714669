import type { Command } from 'commander';
import type { Freshness } from '../../client/index.ts';
import type { RunContext } from '../context.ts';
import { freshnessFields } from '../output/freshness-fields.ts';
import { printableJson } from '../output/printable.ts';
import { clientOf } from '../reader.ts';
import { ReaderOptions, withReaderOptions } from '../reader-options.ts';
import { type AccountStatus, type DeploymentStatus, deploymentStatus } from '../status/deployment-status.ts';
import { tellStatus } from '../status/tell-status.ts';

/** `callfeed status` */
export const status = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('status'))
    .description('shows how old the picture of agents is, what waits and what was set aside')
    .addHelpText(
      'after',
      `
All accounts are shown, unless --account names one. A stale picture is said to be so, and --json has
“lastKnownAgentCount” and “lastKnownCounts” in the place of “agentCount” and “counts”; the exit code is 0 all the same.

Examples:
  $ callfeed status
  $ callfeed status --json | jq -e '.accounts | all(.freshness == "live")'`,
    );
  command.action(() => show(context, ReaderOptions.parse(command.optsWithGlobals())));
};

const show = async (context: RunContext, asked: ReaderOptions): Promise<void> => {
  const { terminal } = context;
  const deployment = await context.connect(asked);
  const accounts =
    asked.account === undefined ? (await deployment.accounts()).all.map(({ userName }) => userName) : [asked.account];
  const found = await deploymentStatus(deployment, accounts, (account) =>
    clientOf(context, asked, deployment, account).feed(),
  );
  const { entries, requests, units } = found.quarantine;
  if (asked.verbose)
    terminal.note(
      `Scan on quarantine: ${entries} entries, ${requests} ${requests === 1 ? 'page' : 'pages'}, ${units} read units`,
    );
  if (asked.json) terminal.print(printableJson(jsonOf(found)));
  else tellStatus(terminal, found);
};

const jsonOf = ({ accounts, quarantine: { entries, isAtLeast }, ...rest }: DeploymentStatus) => ({
  accounts: accounts.map(accountJson),
  quarantine: { entries, isAtLeast },
  ...rest,
});

const accountJson = ({ account, picture }: AccountStatus) => {
  const { failingSince, lastProblem } = picture.feed ?? {};
  return { account, ...freshnessFields(picture), ...countsOf(picture), failingSince, lastProblem };
};

/** Old counts have names of their own, so that nobody takes them for new ones without looking. */
const countsOf = (picture: Freshness) => {
  if (picture.freshness === 'none') return {};
  const { agentCount, counts } = picture.feed;
  return picture.freshness === 'live'
    ? { agentCount, counts }
    : { lastKnownAgentCount: agentCount, lastKnownCounts: counts };
};
