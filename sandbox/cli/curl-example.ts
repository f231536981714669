import { demoAccount } from '../accounts.ts';
import type { Addresses } from '../addresses.ts';
import type { SandboxOptions } from '../sandbox-options.ts';

const localTime = (instant: Date, timeZone: string): string =>
  // This locale writes times as the service does: 2026-11-21 09:05:00.
  instant.toLocaleString('sv-SE', { timeZone });

const minutes = 60_000;

/** A command that logs in somebody of whom the simulated contact centre has never heard. */
export const agentsExample = ({ agents }: Pick<Addresses, 'agents'>): string =>
  `  curl "${agents}" -d '${JSON.stringify({ action: 'log-in', agentId: 'sam', state: 'READY', skills: ['Sales'] })}'`;

/**
 * A command that posts a call which ended a minute ago. Its id is that minute's, so that a call posted again at once is
 * a duplicate. Only the built-in account's key is printed; of others, and of a secret, the shell fills in what it has.
 */
export const curlExample = (
  { callbacks }: Pick<Addresses, 'callbacks'>,
  { accounts: [account = demoAccount] = [demoAccount] }: Pick<SandboxOptions, 'accounts'>,
  now: Date,
): string => {
  const call = {
    monitorUCID: String(Math.floor(now.getTime() / minutes)).padEnd(17, '7'),
    UserName: account.userName,
    Apikey: account === demoAccount ? 'demo-key' : 'YOUR-KEY',
    Type: 'Inbound',
    Status: 'Answered',
    AgentID: 'asha',
    StartTime: localTime(new Date(now.getTime() - 3 * minutes), account.timeZone),
    EndTime: localTime(new Date(now.getTime() - minutes), account.timeZone),
    CallDuration: '00:02:00',
  };
  const address = callbacks.replace('{secret}', '$CALLFEED_CALLBACK_SECRET');

  return `  curl "${address}" --data-urlencode 'data=${JSON.stringify(call)}'`;
};
