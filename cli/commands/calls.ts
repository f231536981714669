import type { Command } from 'commander';
import * as z from 'zod';
import type { CallfeedClient, CallList, ListedCall as ListedCallRow } from '../../client/index.ts';
import { ListedCall } from '../../lib/contract/rows.ts';
import type { RunContext } from '../context.ts';
import { instantFrom } from '../input/instant-from.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { callTable } from '../output/call-table.ts';
import { masked } from '../output/masked.ts';
import { printableJson } from '../output/printable.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';
import { ReaderOptions, withReaderOptions } from '../reader-options.ts';

const CallsOptions = ReaderOptions.extend({
  from: z.string().optional(),
  to: z.string().optional(),
  agent: z.string().optional(),
  customer: z.string().optional(),
  limit: z.int(),
  cursor: z.string().optional(),
});
type Asked = z.infer<typeof CallsOptions>;

/** `callfeed calls` */
export const calls = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('calls'))
    .description('lists calls, the newest first: all of an account, of an agent or of a customer')
    .option('--from <instant>', 'that started then or later', instantFrom)
    .option('--to <instant>', 'that started then or earlier', instantFrom)
    .option('--agent <id>', 'of this agent, transfers included')
    .option('--customer <number>', 'of this number, as it was sent')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 100_000), 20)
    .option('--cursor <cursor>', 'go on where the same list broke off')
    .addHelpText(
      'after',
      `
A call with several legs is listed with each of them. “callfeed call” tells everything about one.

Examples:
  $ callfeed calls --from 2026-11-20T00:00:00+05:30 --to 2026-11-21T00:00:00+05:30
  $ callfeed calls --agent asha --limit 50 --json | jq -r .callId
  $ callfeed calls --customer 09876500000 --show-personal`,
    );
  command.action(() => list(context, CallsOptions.parse(command.optsWithGlobals())));
};

const list = async (context: RunContext, asked: Asked): Promise<void> => {
  if (asked.agent !== undefined && asked.customer !== undefined)
    throw new Problem('Say --agent or --customer; not both.', 2);
  const { terminal } = context;
  const { client } = await reader(context, asked);
  const { found, next } = await firstOf(listFor(client, asked), asked);

  const shown = asked.showPersonal ? found : masked(z.array(ListedCall), found);
  if (asked.json) for (const call of shown) terminal.print(printableJson(call));
  else callTable(terminal, shown, asked.showPersonal);
  const more = next === undefined ? '' : ` More with the same options and --cursor ${next}`;
  terminal.note(`${found.length} listed.${more}`);
};

const listFor = (client: CallfeedClient, { agent, customer, from, to }: Asked): CallList => {
  const range = { from, to };
  if (agent !== undefined) return client.callsOfAgent(agent, range);
  return customer === undefined ? client.calls(range) : client.callsOfCustomer(customer, range);
};

interface Found {
  readonly found: readonly ListedCallRow[];
  readonly next: string | undefined;
}

/** A page is one request, and takes no more. */
const mostPerPage = 1_000;

/** A page that is cut at 1 MB is gone on with, for what is still wanted only. */
const firstOf = async (calls: CallList, { limit, cursor }: Pick<Asked, 'limit' | 'cursor'>): Promise<Found> => {
  const found: ListedCallRow[] = [];
  let next = cursor;
  do {
    for await (const page of calls.pages(Math.min(limit - found.length, mostPerPage), next)) {
      found.push(...page.calls);
      next = page.next;
      break;
    }
  } while (next !== undefined && found.length < limit);
  return { found, next };
};
