import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { AgentDay, CallfeedClient } from '../../client/index.ts';
import { AgentStretch } from '../../lib/contract/rows.ts';
import { localDate } from '../../lib/time/days.ts';
import { isTimeZone } from '../../lib/time/time-zone.ts';
import type { RunContext } from '../context.ts';
import { dayFrom } from '../input/day-from.ts';
import { masked } from '../output/masked.ts';
import { printableJson } from '../output/printable.ts';
import { Problem } from '../problem.ts';
import { type Reader, reader } from '../reader.ts';
import { ReaderOptions, withReaderOptions } from '../reader-options.ts';
import { knownUpTo } from '../timeline/known-up-to.ts';
import { tellDay } from '../timeline/tell-day.ts';

const TimelineOptions = ReaderOptions.extend({ day: z.string().optional(), timeZone: z.string().optional() });

const zoneFrom = (typed: string): string => {
  if (isTimeZone(typed)) return typed;
  throw new InvalidArgumentError('Expected an IANA time zone such as Asia/Kolkata.');
};

/** `callfeed timeline AGENT` */
export const timeline = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('timeline'))
    .description('draws an agent’s day, and adds up the time in each state')
    .argument('<agent>', 'the agent, by login id')
    .option('--day <day>', 'a day of the account’s zone, such as 2026-11-20 (default: today)', dayFrom)
    .option('--time-zone <zone>', 'the account’s zone, which its secret says otherwise', zoneFrom)
    .addHelpText(
      'after',
      `
Each part of the bar shows what filled most of it; the table below counts every second.

Examples:
  $ callfeed timeline asha
  $ callfeed timeline asha --day 2026-11-20 --account acme --time-zone Asia/Kolkata`,
    );
  command.action((agentId: string) => show(context, agentId, TimelineOptions.parse(command.optsWithGlobals())));
};

const show = async (context: RunContext, agentId: string, asked: z.infer<typeof TimelineOptions>): Promise<void> => {
  const { terminal, clock } = context;
  const found = await reader(context, asked);
  const timeZone = asked.timeZone ?? (await zoneOf(found));
  const day = asked.day ?? localDate(clock().toISOString(), timeZone);
  const lived = await found.client.agentDay(agentId, day, timeZone);
  const known = await upTo(found.client, lived, clock().toISOString());
  const times = lived.secondsByState(known);

  if (!asked.json) return tellDay(terminal, lived, known, times);
  const stretches = asked.showPersonal ? lived.stretches : masked(z.array(AgentStretch), lived.stretches);
  const { account } = found;
  terminal.print(printableJson({ account, agentId, day, timeZone, upTo: known, secondsByState: times, stretches }));
};

/** Only an open stretch asks how far the picture has come. */
const upTo = async (client: CallfeedClient, day: AgentDay, now: string): Promise<string> => {
  if (day.stretches.some(({ to }) => to === undefined)) return knownUpTo(await client.feed(), day);
  if (now < day.start) return day.start;
  return now < day.end ? now : day.end;
};

const zoneOf = async ({ deployment, account }: Reader): Promise<string> => {
  const zone = (await deployment.accounts()).named(account)?.timeZone;
  if (zone !== undefined) return zone;
  throw new Problem('The secret has no such account; say its zone with --time-zone.', 2);
};
