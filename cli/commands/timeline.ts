import type { Command } from 'commander';
import * as z from 'zod';
import { AgentStretch } from '../../lib/contract/rows.ts';
import { accountDay } from '../account-day.ts';
import type { RunContext } from '../context.ts';
import { dayFrom, today } from '../input/day-from.ts';
import { zoneFrom } from '../input/zone-from.ts';
import { masked } from '../output/masked.ts';
import { printableJson } from '../output/printable.ts';
import { reader } from '../reader.ts';
import { ReaderOptions, withReaderOptions } from '../reader-options.ts';
import { knownUpTo } from '../timeline/known-up-to.ts';
import { tellDay } from '../timeline/tell-day.ts';

const TimelineOptions = ReaderOptions.extend({ day: z.string(), timeZone: z.string().optional() });

/** `callfeed timeline AGENT` */
export const timeline = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('timeline'))
    .description('draws an agent’s day, and adds up the time in each state')
    .argument('<agent>', 'the agent, by login id')
    .option('--day <day>', 'a day of the account’s zone, such as 2026-11-20', dayFrom, today)
    .option('--time-zone <zone>', 'the account’s zone, which its secret says otherwise', zoneFrom)
    .addHelpText(
      'after',
      `
Each part of the bar shows what filled most of it; the table below counts every second. The day is known as far as the
feed has come (“upTo” in --json); what comes after that is left blank.

Examples:
  $ callfeed timeline asha
  $ callfeed timeline asha --day 2026-11-20 --account acme --time-zone Asia/Kolkata`,
    );
  command.action((agentId: string) => show(context, agentId, TimelineOptions.parse(command.optsWithGlobals())));
};

const show = async (context: RunContext, agentId: string, asked: z.infer<typeof TimelineOptions>): Promise<void> => {
  const { terminal, clock } = context;
  const found = await reader(context, asked);
  const { account, client } = found;
  const { day, timeZone } = await accountDay(found, asked, clock());
  const lived = await client.agentDay(agentId, day, timeZone);
  // After the stretches, so that the picture is as new as they are.
  const upTo = knownUpTo(await client.feed(), lived, clock());
  const secondsByState = lived.secondsByState(upTo);

  if (!asked.json) return tellDay(terminal, lived, upTo, secondsByState);
  const stretches = asked.showPersonal ? lived.stretches : masked(z.array(AgentStretch), lived.stretches);
  terminal.print(printableJson({ account, agentId, day, timeZone, upTo, secondsByState, stretches }));
};
