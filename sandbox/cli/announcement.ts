import type { Sandbox } from '../sandbox.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { sandboxTables } from '../tables.ts';
import { curlExample } from './curl-example.ts';

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));

  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
};

const closing = ({ provider, traffic }: SandboxOptions): string => {
  if (provider !== undefined) return 'Nothing is simulated: callbacks come from you.';

  return traffic ? 'Calls begin to happen now.' : 'No calls happen by themselves (--no-traffic).';
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
  ['state', `GET  ${addresses.sandbox}`],
  ['faults', `PUT  ${addresses.faults}/{dynamodb,eventbridge,queue,provider}  {"mode": "error", "rate": 0.5}`],
  ['contact centre', `${addresses.provider}${options.provider === undefined ? '  simulated' : ''}`],
  ['accounts', accounts.join(', ')],
  ['kept in', options.data ?? 'memory only (--data DIR keeps it)'],
])}

Try it:

${curlExample(addresses, options, now)}

${closing(options)} Ctrl-C stops everything.
`;
};
