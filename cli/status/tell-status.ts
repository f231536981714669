import type { LivePicture, StalePicture } from '../../client/index.ts';
import { freshnessLine } from '../output/freshness-line.ts';
import { printable } from '../output/printable.ts';
import { report } from '../output/report.ts';
import { styled } from '../output/styled.ts';
import type { Terminal } from '../terminal.ts';
import type { AccountStatus, DeploymentStatus } from './deployment-status.ts';

/** What a feed is called in the table; what is not kept up stands out. */
const words = { none: 'NO PICTURE', live: 'live', stale: 'STALE' } as const;

const columns = { account: 'ACCOUNT', feed: 'FEED', agents: 'AGENTS', states: 'STATES' };

/** Prints how a deployment does, for people. */
export const tellStatus = (terminal: Terminal, status: DeploymentStatus): void => {
  const { print } = terminal;
  for (const { account, picture } of status.accounts) print(freshnessLine(terminal, account, picture));
  print('');
  report(terminal, false, columns, status.accounts.map(rowOf));
  print('');
  const { quarantine, parked, deadLetters, bus, tables } = status;
  const lines = [
    [
      'Quarantine',
      `${quarantine.isAtLeast ? 'at least ' : ''}${quarantine.entries} not understood`,
      quarantine.entries,
    ],
    ['Parked', `about ${parked} wait for their table`, 0],
    ['Dead letters', `about ${deadLetters} set aside`, deadLetters],
    ['Bus', bus, 0],
    ['Tables', Object.values(tables).join(', '), 0],
  ] as const;
  for (const [name, text, troubles] of lines) {
    const line = `${name.padEnd(14)}${printable(text)}`;
    print(troubles > 0 ? styled(terminal, 'yellow', line) : line);
  }
};

const rowOf = ({ account, picture }: AccountStatus) => ({
  account,
  feed: words[picture.freshness],
  ...(picture.freshness !== 'none' && countsOf(picture)),
});

const countsOf = ({ freshness, feed }: LivePicture | StalePicture) => {
  const known = freshness === 'live' ? '' : 'last known: ';
  const states = Object.entries(feed.counts).filter(([, count]) => count > 0);
  return {
    agents: `${known}${feed.agentCount}`,
    ...(states.length > 0 && { states: `${known}${states.map(([state, count]) => `${count} ${state}`).join(', ')}` }),
  };
};
