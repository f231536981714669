import type { Sandbox } from '../sandbox.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { sandboxTables } from '../tables.ts';
import { agentsExample, curlExample } from './curl-example.ts';

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));

  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
};

const closing = ({ provider, traffic }: SandboxOptions): string => {
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

${closing(options)} Ctrl-C stops everything.
`;
};
