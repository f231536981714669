import * as z from 'zod';
import { Agent } from '../../lib/agents/schema.ts';
import { instantFrom } from '../arguments.ts';
import type { RunContext } from '../context.ts';
import { command, type OptionsOf, readerSettings, required } from '../options.ts';
import { agentTable } from '../output/agents.ts';
import { redacted } from '../output/redact.ts';
import { printable, printableJson, styled } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';

const settings = {
  ...readerSettings,
  at: required('<instant>', 'the instant', instantFrom),
};
type FloorOptions = OptionsOf<typeof settings>;

/** `callfeed floor --at INSTANT` */
export const floor = command({
  name: 'floor',
  description: 'shows who was logged in at a past instant, and in which state',
  settings,
  help: `Snapshots of all agents are stored for a week, unless the deployment is configured otherwise. If the feed was interrupted
at that instant, the first line says STALE, and --json has “lastKnownAgents” instead of “agents”. An outage of the poller
itself shows only after the next poll has recorded it.

Examples:
  $ callfeed floor --at 2026-11-20T10:00:00+05:30
  $ callfeed floor --at 2026-11-20T04:30:00Z --account acme --json`,
  run: (context, options) => show(context, options),
});

const show = async (context: RunContext, options: FloorOptions): Promise<void> => {
  const { terminal, clock } = context;
  const { at } = options;
  if (at > clock().toISOString())
    throw new Problem('--at is in the future; “callfeed agents” shows who is logged in now.', 2);
  const { account, client } = await reader(context, options);
  const past = await client.floorAt(at);
  if (past === undefined) throw new Problem(`No snapshot of ${printable(account)} is stored from ${at} or before.`);

  const isLive = past.freshness === 'live';
  const found = isLive ? past.agents : past.lastKnownAgents;
  const visible = options.showPersonal ? found : redacted(z.array(Agent), found);
  const { at: since, asOf, freshness } = past;
  if (options.json) {
    const about = { account, at, since, freshness, ...(asOf !== undefined && { asOf }) };
    terminal.print(printableJson({ ...about, ...(isLive ? { agents: visible } : { lastKnownAgents: visible }) }));
    return;
  }
  const title = isLive
    ? `${printable(account)} at ${at}: ${visible.length} logged in, unchanged since ${since}.`
    : styled(terminal, 'red', `STALE: the feed was interrupted at ${at}. ${lastSeen(account, asOf)}`);
  terminal.print(title);
  agentTable(terminal, visible, { until: isLive ? at : (asOf ?? at), showPersonal: options.showPersonal });
};

const lastSeen = (account: string, asOf: string | undefined): string =>
  asOf === undefined ? 'No poll had succeeded before.' : `${printable(account)} as last seen ${asOf}:`;
