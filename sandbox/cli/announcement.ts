import { sandboxTables } from '../local-aws.ts';
import type { Sandbox } from '../sandbox.ts';
import { demoAccount, type SandboxOptions } from '../sandbox-options.ts';
import type { Addresses } from '../sandbox-state.ts';

const localTime = (instant: Date, timeZone: string): string =>
  // This locale writes times as the service does: 2026-11-21 09:05:00.
  instant.toLocaleString('sv-SE', { timeZone });

const minutes = 60_000;

/** A command that logs in somebody of whom the simulated contact centre has never heard. */
const agentsExample = ({ agents }: Pick<Addresses, 'agents'>): string =>
  `  curl "${agents}" -d '${JSON.stringify({ action: 'log-in', agentId: 'sam', state: 'READY', skills: ['Sales'] })}'`;

/**
 * A command that posts a call which ended a minute ago. Its id is that minute's, so that a call posted again at once is
 * a duplicate. Only the built-in account's key is printed; of others, and of a secret, the shell fills in what it has.
 */
const curlExample = (
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

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));

  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
};

const closingLine = ({ provider, traffic }: SandboxOptions): string => {
  if (provider !== undefined)
    return 'Nothing is simulated: callbacks come from you, agents from --provider every 15 seconds.';

  return traffic
    ? 'Calls begin to happen now, and agents to come and go; they are polled every 15 seconds.'
    : 'Nobody calls and no agent is logged in (--no-traffic); agents are polled every 15 seconds.';
};

/** What to print once the sandbox runs: where everything is, how to try it, and what happens next. */
export const announcement = (sandbox: Sandbox, options: SandboxOptions, now: Date): string => {
  const { addresses, accounts } = sandbox;

  return `
Callfeed runs on this machine.

${table([
  ['callbacks', `POST ${addresses.callbacks}`],
  ['tables', `${addresses.dynamodb}  ${Object.keys(sandboxTables).join(', ')}`],
  ['events', `GET  ${addresses.events}?follow`],
  ['agents', `GET  ${addresses.agents}`],
  ['state', `GET  ${addresses.sandbox}`],
  ['faults', `PUT  ${addresses.faults}/{dynamodb,eventbridge,queue,provider}  {"mode": "error", "rate": 0.5}`],
  ['contact centre', `${addresses.provider}${options.provider === undefined ? '  simulated' : ''}`],
  ['accounts', accounts.join(', ')],
  ['kept in', options.data ?? 'memory only (--data DIR keeps it)'],
])}

Try it:

${[curlExample(addresses, options, now), ...(options.provider === undefined ? [agentsExample(addresses)] : [])].join('\n')}

${closingLine(options)} Ctrl-C stops everything.
`;
};
