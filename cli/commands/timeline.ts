import * as z from 'zod';
import { knownUpTo } from '../../lib/client/agents.ts';
import type { AgentDay } from '../../lib/client/index.ts';
import { AgentInterval } from '../../lib/contract/rows.ts';
import { dayFrom, today, zoneFrom } from '../arguments.ts';
import { argument, command, parsed, readerSettings, withDefault } from '../options.ts';
import { redacted } from '../output/redact.ts';
import { durationText, report } from '../output/report.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { type BarState, barParts, barStyles, hourScale, renderBar } from '../output/timeline-bar.ts';
import { accountDay, reader } from '../reader.ts';

/** `callfeed timeline AGENT` */
export const timeline = command({
  name: 'timeline',
  description: 'draws an agent’s day, and adds up the time in each state',
  settings: {
    agentId: argument('<agent>', 'the agent, by login id'),
    ...readerSettings,
    day: withDefault('<day>', 'a day in the account’s time zone, such as 2026-11-20', dayFrom, today),
    timeZone: parsed('<zone>', 'the account’s time zone (default: from the secret)', zoneFrom),
  },
  help: `Each part of the bar shows the state that filled most of it. The table below counts every second. The day is known up to
the feed’s last successful poll (“upTo” in --json); the bar is blank after that.

Examples:
  $ callfeed timeline asha
  $ callfeed timeline asha --day 2026-11-20 --account acme --time-zone Asia/Kolkata`,
  run: async (context, { agentId, ...options }) => {
    const { terminal, clock } = context;
    const found = await reader(context, options);
    const { account, client } = found;
    const { day, timeZone } = await accountDay(found, options, clock());
    const agentDay = await client.agentDay(agentId, day, timeZone);
    // Read after the intervals: an older feed would hide the newest of them.
    const upTo = knownUpTo((await client.feed()).feed, agentDay, clock());
    const secondsByState = agentDay.secondsByState(upTo);

    if (!options.json) return printDay(terminal, agentDay, upTo, secondsByState);
    const intervals = options.showPersonal ? agentDay.intervals : redacted(z.array(AgentInterval), agentDay.intervals);
    terminal.print(printableJson({ account, agentId, day, timeZone, upTo, secondsByState, intervals }));
  },
});

/** Prints the bar of a day up to an instant, and the time in each state, which is the legend too. */
const printDay = (
  terminal: Terminal,
  agentDay: AgentDay,
  upTo: string,
  secondsByState: Readonly<Record<string, number>>,
): void => {
  const { print, width } = terminal;
  const { agentId, day, timeZone, end, intervals } = agentDay;
  const title = `${agentId} on ${day} (${timeZone})`;
  if (intervals.length === 0) {
    print(printable(`${title}: ${whyEmpty(agentDay, upTo)}.`));
    return;
  }
  const isOver = upTo >= end;
  print(styled(terminal, 'bold', printable(isOver ? title : `${title}, known up to ${upTo}`)));
  print(hourScale(agentDay, width));
  print(renderBar(terminal, barParts({ ...agentDay, upTo }, width)));
  print('');
  printTimes(terminal, secondsByState);
};

const whyEmpty = ({ start, end }: AgentDay, upTo: string): string => {
  if (upTo <= start) return 'not known yet';
  return upTo < end
    ? `not logged in up to ${upTo}, or expired; the rest is not known yet`
    : 'not logged in, or expired';
};

const columns = { letter: '', state: 'STATE', time: 'TIME', share: 'SHARE' };

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

const letterOf = (state: string): string => (isBarState(state) ? barStyles[state].letter : barStyles.unknown.letter);

const isBarState = (state: string): state is BarState => Object.hasOwn(barStyles, state);
