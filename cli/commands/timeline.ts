import type { Command } from 'commander';
import * as z from 'zod';
import type { AgentDay, Freshness } from '../../lib/client/index.ts';
import { AgentInterval } from '../../lib/contract/rows.ts';
import { dayFrom, today, zoneFrom } from '../arguments.ts';
import type { RunContext } from '../context.ts';
import { ReaderOptions, withReaderOptions } from '../options.ts';
import { redacted } from '../output/redact.ts';
import { durationText, report } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { type BarState, barParts, barStyles, hourScale, renderBar } from '../output/timeline-bar.ts';
import { accountDay, reader } from '../reader.ts';

/**
 * Up to when a day is known: as far as the picture of the floor has come, and never beyond now; without a picture, nothing
 * of it is.
 */
export const knownUpTo = (picture: Freshness, { start, end }: Pick<AgentDay, 'start' | 'end'>, now: Date): string => {
  if (picture.freshness === 'none') return start;
  const [first = start] = [picture.asOf, now.toISOString(), end].toSorted();
  return first < start ? start : first;
};

const columns = { letter: '', state: 'STATE', time: 'TIME', share: 'SHARE' };

/** Prints an agent's day as it is known up to an instant: a bar, and the time in each state, which is its legend too. */
const printDay = (
  terminal: Terminal,
  lived: AgentDay,
  upTo: string,
  secondsByState: Readonly<Record<string, number>>,
): void => {
  const { print, width } = terminal;
  const { agentId, day, timeZone, end, intervals } = lived;
  const about = `${agentId} on ${day} (${timeZone})`;
  if (intervals.length === 0) {
    print(printable(`${about}: ${whyEmpty(lived, upTo)}.`));
    return;
  }
  const isOver = upTo >= end;
  print(styled(terminal, 'bold', printable(isOver ? about : `${about}, known up to ${upTo}`)));
  print(hourScale(lived, width));
  print(renderBar(terminal, barParts({ ...lived, upTo }, width)));
  print('');
  printTimes(terminal, secondsByState);
};

const whyEmpty = ({ start, end }: AgentDay, upTo: string): string => {
  if (upTo <= start) return 'is not known yet';
  return upTo < end
    ? `was not logged in up to ${upTo}, or nothing is kept of it; the rest is not known yet`
    : 'was not logged in, or nothing is kept of it';
};

const printTimes = (terminal: Terminal, secondsByState: Readonly<Record<string, number>>): void => {
  const total = Object.values(secondsByState).reduce((sum, seconds) => sum + seconds, 0);
  const rows = Object.entries(secondsByState)
    .toSorted(([, a], [, b]) => b - a)
    .map(([state, seconds]) => ({
      letter: letterOf(state),
      state,
      time: durationText(seconds),
      share: total === 0 ? '-' : `${Math.round((100 * seconds) / total)} %`,
    }));
  const loggedIn = { letter: '', state: 'logged in', time: durationText(total), share: '' };
  report(terminal, false, columns, [...rows, loggedIn]);
};

const isBarState = (state: string): state is BarState => Object.hasOwn(barStyles, state);

const letterOf = (state: string): string => (isBarState(state) ? barStyles[state].letter : barStyles.unknown.letter);

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
  // After the intervals, so that the picture is as new as they are.
  const upTo = knownUpTo(await client.feed(), lived, clock());
  const secondsByState = lived.secondsByState(upTo);

  if (!asked.json) return printDay(terminal, lived, upTo, secondsByState);
  const intervals = asked.showPersonal ? lived.intervals : redacted(z.array(AgentInterval), lived.intervals);
  terminal.print(printableJson({ account, agentId, day, timeZone, upTo, secondsByState, intervals }));
};
