import { Option } from '@commander-js/extra-typings';
import * as z from 'zod';
import type { CallfeedClient, Floor, Freshness, SnapshotAgent } from '../../client/index.ts';
import { Agent } from '../../lib/agents/schema.ts';
import { AgentNow } from '../../lib/contract/rows.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { loggedInStates, wordText } from '../../lib/telephony/vocabularies.ts';
import { type BareCommand, command, type OptionsOf, on, type Permission } from '../frame/command.ts';
import { instantFrom, readerOptions } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { reader } from '../frame/reader.ts';
import { redacted } from '../frame/redact.ts';
import { printTable } from '../frame/table.ts';
import { printable, printableJson, styled, type Terminal } from '../frame/terminal.ts';
import { durationText } from '../frame/texts.ts';
import { freshnessFields, freshnessLine } from '../status/account-status.ts';

const options = (command: BareCommand) =>
  readerOptions(command)
    .addOption(
      new Option('--state <state>', 'show only agents in this state, the longest in it first').choices(loggedInStates),
    )
    .argument('[agent]', 'show only this agent, by login id');
export const readsAgents: readonly Permission[] = [on('Agents table and its index', 'dynamodb:Query dynamodb:GetItem')];

export const agents = command({
  name: 'agents',
  description: 'shows who is logged in, in which state, and as of when',
  permissions: readsAgents,
  options,
  help: `The first line says STALE when polls no longer succeed, and NEVER POLLED before the first success. --json prints one object:
“agents” while “freshness” is “live”, and “lastKnownAgents” when it is “stale”.

Examples:
  $ callfeed agents --state ready --account acme --show-personal
  $ callfeed agents asha --json | jq .freshness`,
  run: async (context, options, agentId) => {
    const { state, showPersonal } = options;
    if (agentId !== undefined && state !== undefined) throw new Problem('Name an agent or a --state, not both.', 2);
    const { terminal, clock } = context;
    const { account, client } = await reader(context, options);
    const { feed, found } = await findAgents(client, agentId, state);
    const visible = showPersonal ? found : redacted(z.array(AgentNow), found);

    if (options.json) {
      const list = feed.freshness !== 'none' && { [listName(feed)]: visible };
      return terminal.print(printableJson({ account, ...freshnessFields(feed), ...list }));
    }
    terminal.print(freshnessLine(terminal, account, feed, clock()));
    const until = feed.freshness === 'stale' ? feed.asOf : clock().toISOString();
    agentTable(terminal, visible, { until, showPersonal });
    if (visible.length > 0 || feed.freshness === 'none') return;
    const who = agentId === undefined ? 'Nobody' : 'No such agent';
    terminal.note(`${who} is ${state === undefined ? 'logged in' : 'in that state'}.`);
  },
});

const findAgents = async (
  client: CallfeedClient,
  agentId: string | undefined,
  state: OptionsOf<typeof options>['state'],
): Promise<{ readonly feed: Freshness; readonly found: readonly SnapshotAgent[] }> => {
  if (agentId !== undefined) {
    const [feed, { lastKnown }] = await Promise.all([client.feed(), client.agent(agentId)]);
    return { feed, found: lastKnown === undefined ? [] : [lastKnown] };
  }
  if (state !== undefined) {
    const [feed, { lastKnown }] = await Promise.all([client.feed(), client.agentsInState(state)]);
    return { feed, found: lastKnown };
  }
  const floor = await client.floor();
  return { feed: floor, found: agentsOn(floor) };
};

const agentsOn = (floor: Floor): readonly SnapshotAgent[] => {
  if (floor.freshness === 'none') return [];
  return floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents;
};

const listName = ({ freshness }: Pick<Freshness, 'freshness'>) =>
  freshness === 'stale' ? 'lastKnownAgents' : 'agents';

export const floor = command({
  name: 'floor',
  description: 'shows who was logged in at a past instant, and in which state',
  permissions: readsAgents,
  options: (command: BareCommand) =>
    readerOptions(command).requiredOption('--at <instant>', 'the instant', instantFrom),
  help: `Snapshots are stored for a week, unless the deployment is configured otherwise. If the feed was interrupted then, the first line says
STALE, and --json has “lastKnownAgents”. An outage of the poller itself shows only after the next poll has recorded it.

Example:
  $ callfeed floor --at 2026-11-20T10:00:00+05:30`,
  run: async (context, options) => {
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
      return terminal.print(printableJson({ ...about, [listName(past)]: visible }));
    }
    const name = printable(account);
    const lastSeen = asOf === undefined ? 'No poll had succeeded before.' : `${name} as last seen ${asOf}:`;
    terminal.print(
      isLive
        ? `${name} at ${at}: ${visible.length} logged in, unchanged since ${since}.`
        : styled(terminal, 'red', `STALE: the feed was interrupted at ${at}. ${lastSeen}`),
    );
    agentTable(terminal, visible, { until: isLive ? at : (asOf ?? at), showPersonal: options.showPersonal });
  },
});

const columns = { agentId: 'AGENT', state: 'STATE', since: 'SINCE', time: 'FOR', skills: 'SKILLS' };
const personalColumns = { name: 'NAME', phoneNumber: 'NUMBER', stateAsSent: 'AS SENT' };

const agentTable = (
  terminal: Terminal,
  agents: readonly SnapshotAgent[],
  { until, showPersonal }: { readonly until: string; readonly showPersonal: boolean },
): void => {
  const rows = agents.map(({ extra: _extra, ...agent }) => ({
    ...agent,
    state: wordText(agent.state),
    skills: agent.skills?.join(', '),
    time: durationText(secondsBetween(agent.since, until)),
  }));
  printTable(terminal, { ...columns, ...(showPersonal && personalColumns) }, rows);
};
