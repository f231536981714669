import { type Command, Option } from 'commander';
import * as z from 'zod';
import type { CallfeedClient, Floor, Freshness, SnapshotAgent } from '../../lib/client/index.ts';
import { AgentNow } from '../../lib/contract/rows.ts';
import { loggedInStates } from '../../lib/telephony/agent-fields.ts';
import type { RunContext } from '../context.ts';
import { ReaderOptions, withReaderOptions } from '../options.ts';
import { agentTable, freshnessFields, freshnessLine } from '../output/agents.ts';
import { redacted } from '../output/redact.ts';
import { printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';

const AgentsOptions = ReaderOptions.extend({ state: z.enum(loggedInStates).optional() });
type AgentsRequest = z.infer<typeof AgentsOptions> & { readonly agentId: string | undefined };

/** `callfeed agents [AGENT]` */
export const agents = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('agents'))
    .description('shows who is logged in, in which state, and how old that is')
    .argument('[agent]', 'only this one, by login id')
    .addOption(
      new Option('--state <state>', 'only those in this state, the longest in it first').choices(loggedInStates),
    )
    .addHelpText(
      'after',
      `
A picture that is not kept up any more is said to be STALE above the table. With --json it is one object, which has
“agents” while the picture is live and “lastKnownAgents” when it is stale.

Examples:
  $ callfeed agents
  $ callfeed agents --state ready --account acme --show-personal
  $ callfeed agents asha --json | jq .freshness`,
    );
  command.action((agentId: string | undefined) =>
    show(context, { ...AgentsOptions.parse(command.optsWithGlobals()), agentId }),
  );
};

const show = async (context: RunContext, asked: AgentsRequest): Promise<void> => {
  if (asked.agentId !== undefined && asked.state !== undefined)
    throw new Problem('Name an agent, or a --state; not both.', 2);
  const { terminal, clock } = context;
  const { account, client } = await reader(context, asked);
  const { picture, found } = await findAgents(client, asked);
  const shown = asked.showPersonal ? found : redacted(z.array(AgentNow), found);

  if (asked.json) {
    const list = picture.freshness === 'stale' ? { lastKnownAgents: shown } : { agents: shown };
    terminal.print(printableJson({ account, ...freshnessFields(picture), ...(picture.freshness !== 'none' && list) }));
    return;
  }
  terminal.print(freshnessLine(terminal, account, picture));
  const until = picture.freshness === 'stale' ? picture.asOf : clock().toISOString();
  agentTable(terminal, shown, { until, showPersonal: asked.showPersonal });
  if (shown.length === 0 && picture.freshness !== 'none') terminal.note(noAgentsNote(asked, picture));
};

const noAgentsNote = ({ agentId, state }: AgentsRequest, { freshness }: Freshness): string => {
  const [is, when] = freshness === 'stale' ? ['was', ' when last seen'] : ['is', ''];
  if (agentId !== undefined) return `No such agent ${is} logged in${when}.`;
  return state === undefined ? `Nobody ${is} logged in${when}.` : `Nobody ${is} in that state${when}.`;
};

interface FoundAgents {
  readonly picture: Freshness;
  readonly found: readonly SnapshotAgent[];
}

const findAgents = async (client: CallfeedClient, { agentId, state }: AgentsRequest): Promise<FoundAgents> => {
  if (agentId !== undefined) {
    const [picture, { lastKnown }] = await Promise.all([client.feed(), client.agent(agentId)]);
    return { picture, found: lastKnown === undefined ? [] : [lastKnown] };
  }
  if (state !== undefined) {
    const [picture, { lastKnown }] = await Promise.all([client.feed(), client.agentsInState(state)]);
    return { picture, found: lastKnown };
  }
  const floor = await client.floor();
  return { picture: floor, found: agentsOn(floor) };
};

const agentsOn = (floor: Floor): readonly SnapshotAgent[] => {
  if (floor.freshness === 'none') return [];
  return floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents;
};
