import { type Command, Option } from 'commander';
import * as z from 'zod';
import type { CallfeedClient, Floor, Freshness, KeptAgent } from '../../client/index.ts';
import { floorStates } from '../../lib/agent-login/states.ts';
import { AgentNow } from '../../lib/contract/rows.ts';
import type { RunContext } from '../context.ts';
import { agentTable } from '../output/agent-table.ts';
import { freshnessFields } from '../output/freshness-fields.ts';
import { freshnessLine } from '../output/freshness-line.ts';
import { masked } from '../output/masked.ts';
import { printableJson } from '../output/printable.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';
import { ReaderOptions, withReaderOptions } from '../reader-options.ts';

const AgentsOptions = ReaderOptions.extend({ state: z.enum(floorStates).optional() });
type Asked = z.infer<typeof AgentsOptions> & { readonly agentId: string | undefined };

/** `callfeed agents [AGENT]` */
export const agents = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('agents'))
    .description('shows who is logged in, in which state, and how old that is')
    .argument('[agent]', 'only this one, by login id')
    .addOption(new Option('--state <state>', 'only those in this state, the longest in it first').choices(floorStates))
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

const show = async (context: RunContext, asked: Asked): Promise<void> => {
  if (asked.agentId !== undefined && asked.state !== undefined)
    throw new Problem('Name an agent, or a --state; not both.', 2);
  const { terminal, clock } = context;
  const { account, client } = await reader(context, asked);
  const { picture, found } = await seen(client, asked);
  const shown = asked.showPersonal ? found : masked(z.array(AgentNow), found);

  if (asked.json) {
    const list = picture.freshness === 'stale' ? { lastKnownAgents: shown } : { agents: shown };
    terminal.print(printableJson({ account, ...freshnessFields(picture), ...(picture.freshness !== 'none' && list) }));
    return;
  }
  terminal.print(freshnessLine(terminal, account, picture));
  const until = picture.freshness === 'stale' ? picture.asOf : clock().toISOString();
  agentTable(terminal, shown, { until, showPersonal: asked.showPersonal });
  if (shown.length === 0 && picture.freshness !== 'none') terminal.note(nobody(asked, picture));
};

const nobody = ({ agentId, state }: Asked, { freshness }: Freshness): string => {
  const [is, when] = freshness === 'stale' ? ['was', ' when last seen'] : ['is', ''];
  if (agentId !== undefined) return `No such agent ${is} logged in${when}.`;
  return state === undefined ? `Nobody ${is} logged in${when}.` : `Nobody ${is} in that state${when}.`;
};

interface Seen {
  readonly picture: Freshness;
  readonly found: readonly KeptAgent[];
}

const seen = async (client: CallfeedClient, { agentId, state }: Asked): Promise<Seen> => {
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

const agentsOn = (floor: Floor): readonly KeptAgent[] => {
  if (floor.freshness === 'none') return [];
  return floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents;
};
