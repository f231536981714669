import type { Command } from 'commander';
import * as z from 'zod';
import { Agent } from '../../lib/agents/agent.ts';
import { instantFrom } from '../arguments.ts';
import type { RunContext } from '../context.ts';
import { ReaderOptions, withReaderOptions } from '../options.ts';
import { agentTable } from '../output/agents.ts';
import { redacted } from '../output/redact.ts';
import { printable, printableJson, styled } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';

const FloorOptions = ReaderOptions.extend({ at: z.string() });

/** `callfeed floor --at INSTANT` */
export const floor = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('floor'))
    .description('shows who was logged in at a past moment, and in which state')
    .requiredOption('--at <instant>', 'the moment', instantFrom)
    .addHelpText(
      'after',
      `
Whole floors are kept for a week, unless the deployment says otherwise. Where the feed was interrupted at that moment,
what had been seen last is said to be STALE, and --json has “lastKnownAgents” in the place of “agents”. While nobody
polls at all, that is written down by the next poll only.

Examples:
  $ callfeed floor --at 2026-11-20T10:00:00+05:30
  $ callfeed floor --at 2026-11-20T04:30:00Z --account acme --json`,
    );
  command.action(() => show(context, FloorOptions.parse(command.optsWithGlobals())));
};

const show = async (context: RunContext, asked: z.infer<typeof FloorOptions>): Promise<void> => {
  const { terminal, clock } = context;
  if (asked.at > clock().toISOString())
    throw new Problem('--at is in the future; “callfeed agents” shows the floor now.', 2);
  const { account, client } = await reader(context, asked);
  const past = await client.floorAt(asked.at);
  if (past === undefined) throw new Problem(`No floor of ${printable(account)} is kept from ${asked.at} or before.`);

  const isLive = past.freshness === 'live';
  const found = isLive ? past.agents : past.lastKnownAgents;
  const shown = asked.showPersonal ? found : redacted(z.array(Agent), found);
  const { at: since, asOf, freshness } = past;
  const { at } = asked;
  if (asked.json) {
    const about = { account, at, since, freshness, ...(asOf !== undefined && { asOf }) };
    terminal.print(printableJson({ ...about, ...(isLive ? { agents: shown } : { lastKnownAgents: shown }) }));
    return;
  }
  const title = isLive
    ? `${printable(account)} at ${at}: ${shown.length} logged in, and so since ${since}.`
    : styled(terminal, 'red', `STALE: the feed was interrupted at ${at}. ${lastSeen(account, asOf)}`);
  terminal.print(title);
  agentTable(terminal, shown, { until: isLive ? at : (asOf ?? at), showPersonal: asked.showPersonal });
};

const lastSeen = (account: string, asOf: string | undefined): string =>
  asOf === undefined ? 'Nobody had been seen before.' : `${printable(account)} as last seen ${asOf}:`;
