import * as z from 'zod';
import { AgentInterval } from '../../lib/contract/rows.ts';
import { accountDay } from '../frame/asked-days.ts';
import { type BareCommand, command } from '../frame/command.ts';
import { dayOption, readerOptions, timeZoneOption, today } from '../frame/options.ts';
import { reader } from '../frame/reader.ts';
import { redacted } from '../frame/redact.ts';
import { printTable } from '../frame/table.ts';
import { printable, printableJson, styled } from '../frame/terminal.ts';
import { durationText } from '../frame/texts.ts';
import { readAgentTime, stateRows } from './agent-time.ts';
import { readsAgents } from './agents.ts';

export const timeline = command({
  name: 'timeline',
  description: 'adds up the time that an agent spent in each state today, or on --day',
  permissions: readsAgents,
  options: (command: BareCommand) =>
    readerOptions(command)
      .addOption(dayOption().default(today))
      .addOption(timeZoneOption)
      .argument('<agent>', 'the agent, by login id'),
  help: `The day is known up to the feed’s last successful poll (“upTo” in --json, which also has each interval). During an
interruption that has ended, the last known state counts.

Example:
  $ callfeed timeline asha --day 2026-11-20 --account acme --time-zone Asia/Kolkata`,
  run: async (context, options, agentId) => {
    const { terminal, clock } = context;
    const found = await reader(context, options);
    const { account, client } = found;
    const { day, timeZone } = await accountDay(found, options, clock());
    const { agentDay, upTo } = await readAgentTime(client, { agentId, day, timeZone }, clock);
    const secondsByState = agentDay.secondsByState(upTo);

    if (options.json) {
      const { intervals } = agentDay;
      const visible = options.showPersonal ? intervals : redacted(z.array(AgentInterval), intervals);
      const about = { account, agentId, day, timeZone, upTo, secondsByState };
      return terminal.print(printableJson({ ...about, intervals: visible }));
    }
    const known = upTo < agentDay.end ? `, known up to ${upTo}` : '';
    const title = printable(`${agentId} on ${day} (${timeZone})${known}`);
    if (agentDay.intervals.length === 0) return terminal.print(`${title}: not logged in, or expired.`);
    terminal.print(styled(terminal, 'bold', title));
    terminal.print('');
    const total = Object.values(secondsByState).reduce((sum, seconds) => sum + seconds, 0);
    const whole = { state: 'logged in', time: durationText(total), share: '' };
    printTable(terminal, columns, [...stateRows(secondsByState, total), whole]);
  },
});

const columns = { state: 'STATE', time: 'TIME', share: 'SHARE' };
