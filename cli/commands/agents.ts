import * as z from 'zod';
import type { CallfeedClient, Floor, Freshness, SnapshotAgent } from '../../lib/client/index.ts';
import { AgentNow } from '../../lib/contract/rows.ts';
import { loggedInStates } from '../../lib/telephony/agent-fields.ts';
import type { RunContext } from '../context.ts';
import { argument, choice, command, type OptionsOf, readerSettings } from '../options.ts';
import { agentTable, freshnessFields, freshnessLine } from '../output/agents.ts';
import { redacted } from '../output/redact.ts';
import { printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';

const settings = {
  agentId: argument('[agent]', 'show only this agent, by login id'),
  ...readerSettings,
  state: choice('<state>', 'show only agents in this state, the longest in it first', loggedInStates),
};
type AgentsRequest = OptionsOf<typeof settings>;

/** `callfeed agents [AGENT]` */
export const agents = command({
  name: 'agents',
  description: 'shows who is logged in, in which state, and as of when',
  settings,
  help: `The first line says STALE when polls no longer succeed. --json prints one object. It has “agents” while the data is
live, and “lastKnownAgents” when it is stale.

Examples:
  $ callfeed agents
  $ callfeed agents --state ready --account acme --show-personal
  $ callfeed agents asha --json | jq .freshness`,
  run: (context, request) => show(context, request),
});

const show = async (context: RunContext, request: AgentsRequest): Promise<void> => {
  if (request.agentId !== undefined && request.state !== undefined)
    throw new Problem('Name an agent or a --state, not both.', 2);
  const { terminal, clock } = context;
  const { account, client } = await reader(context, request);
  const { feed, found } = await findAgents(client, request);
  const visible = request.showPersonal ? found : redacted(z.array(AgentNow), found);

  if (request.json) {
    const list = feed.freshness === 'stale' ? { lastKnownAgents: visible } : { agents: visible };
    terminal.print(printableJson({ account, ...freshnessFields(feed), ...(feed.freshness !== 'none' && list) }));
    return;
  }
  terminal.print(freshnessLine(terminal, account, feed, clock()));
  const until = feed.freshness === 'stale' ? feed.asOf : clock().toISOString();
  agentTable(terminal, visible, { until, showPersonal: request.showPersonal });
  if (visible.length === 0 && feed.freshness !== 'none') terminal.note(noAgentsNote(request, feed));
};

const noAgentsNote = ({ agentId, state }: AgentsRequest, { freshness }: Freshness): string => {
  const [is, when] = freshness === 'stale' ? ['was', ' when last seen'] : ['is', ''];
  if (agentId !== undefined) return `No such agent ${is} logged in${when}.`;
  return state === undefined ? `Nobody ${is} logged in${when}.` : `Nobody ${is} in that state${when}.`;
};

interface FoundAgents {
  readonly feed: Freshness;
  readonly found: readonly SnapshotAgent[];
}

const findAgents = async (client: CallfeedClient, { agentId, state }: AgentsRequest): Promise<FoundAgents> => {
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
