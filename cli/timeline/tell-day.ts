import type { AgentDay } from '../../client/index.ts';
import { durationText } from '../output/duration-text.ts';
import { printable } from '../output/printable.ts';
import { report } from '../output/report.ts';
import { styled } from '../output/styled.ts';
import type { Terminal } from '../terminal.ts';
import { bar } from './bar.ts';
import { drawnDay } from './drawn-day.ts';
import { type Drawn, drawnStates } from './drawn-states.ts';
import { hourScale } from './hour-scale.ts';

const columns = { letter: '', state: 'STATE', time: 'TIME', share: 'SHARE' };

/** Prints an agent's day as it is known up to an instant: a bar, and the time in each state, which is its legend too. */
export const tellDay = (
  terminal: Terminal,
  lived: AgentDay,
  upTo: string,
  secondsByState: Readonly<Record<string, number>>,
): void => {
  const { print, width } = terminal;
  const { agentId, day, timeZone, end, stretches } = lived;
  const about = `${agentId} on ${day} (${timeZone})`;
  if (stretches.length === 0) {
    print(printable(`${about}: ${whyEmpty(lived, upTo)}.`));
    return;
  }
  const isOver = upTo >= end;
  print(styled(terminal, 'bold', printable(isOver ? about : `${about}, known up to ${upTo}`)));
  print(hourScale(lived, width));
  print(bar(terminal, drawnDay({ ...lived, upTo }, width)));
  print('');
  tellTimes(terminal, secondsByState);
};

const whyEmpty = ({ start, end }: AgentDay, upTo: string): string => {
  if (upTo <= start) return 'is not known yet';
  return upTo < end
    ? `was not logged in up to ${upTo}, or nothing is kept of it; the rest is not known yet`
    : 'was not logged in, or nothing is kept of it';
};

const tellTimes = (terminal: Terminal, secondsByState: Readonly<Record<string, number>>): void => {
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

const isDrawn = (state: string): state is Drawn => Object.hasOwn(drawnStates, state);

const letterOf = (state: string): string => (isDrawn(state) ? drawnStates[state].letter : drawnStates.unknown.letter);
