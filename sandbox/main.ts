import { commandText } from '../lib/core/command-text.ts';
import { demoAccount, type SandboxOptions } from './aws/sandbox-options.ts';
import { type CliOptions, optionsFrom, usage } from './cli/options.ts';
import { firstSignal, print, printError } from './cli/terminal.ts';
import { faultNames } from './frame/faults.ts';
import { sandboxTables } from './frame/local-aws.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import type { Addresses } from './sandbox-routes.ts';
import { wallTime } from './simulator/sent-fields.ts';

const announcement = (sandbox: Sandbox, options: SandboxOptions, now: Date): string => {
  const { addresses, accounts } = sandbox;
  const { provider, traffic, data, demo } = options;
  const rows = {
    callbacks: `POST ${addresses.callbacks}`,
    tables: `${addresses.dynamodb}  ${Object.keys(sandboxTables).join(', ')}`,
    events: `GET  ${addresses.events}?follow`,
    state: `GET  ${addresses.sandbox}`,
    faults: `PUT  ${addresses.faults}/{${faultNames.join(',')}}  {"mode": "error", "rate": 0.5}`,
    agents: `GET  ${addresses.agents}`,
    traffic: `PUT  ${addresses.traffic}  {"on": ${demo === true || !traffic}}`,
    accounts: `GET  ${addresses.accounts}  ${accounts.join(', ')}`,
    'contact centre': `${addresses.provider}${provider === undefined ? '  simulated' : ''}`,
    'stored in': data ?? 'memory only (--data DIR stores it)',
  };

  return `
Callfeed runs on this machine. Look at it: ${addresses.gateway}/
${demoText(sandbox)}
${Object.entries(rows)
  .map(([name, value]) => `  ${name.padEnd('contact centre'.length)}  ${value}`)
  .join('\n')}

Try it:

${curlExample(addresses, options, now)}
${provider === undefined ? agentsExample(addresses) : ''}

${whatHappens(options)} Agents are polled every 15 seconds. Ctrl-C stops everything.
`;
};

const demoText = ({ addresses, demoLinks }: Sandbox): string =>
  demoLinks.length === 0
    ? ''
    : `
It is a demonstration: its people, numbers and calls are invented, and the console shows them. Five things to look at:

${demoLinks.map(({ text, hash }) => `  ${text}\n    ${addresses.gateway}/${hash}`).join('\n')}
`;

const whatHappens = ({ provider, traffic, demo }: SandboxOptions): string => {
  if (demo === true)
    return 'Today and yesterday are there, the days before follow. The contact centre goes on as planned.';
  if (provider !== undefined) return 'Nothing is simulated: you post the callbacks.';
  return traffic
    ? 'The simulator now places calls and logs agents in and out. Lost calls are found every 2 minutes.'
    : 'No calls happen and no agent is logged in (--no-traffic).';
};

/** The id is of the minute, so posting again makes a duplicate. Only the built-in key is printed; the shell has the secret. */
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
    StartTime: wallTime(now.getTime() - 3 * minutes, account.timeZone),
    EndTime: wallTime(now.getTime() - minutes, account.timeZone),
    CallDuration: '00:02:00',
  };
  const address = callbacks.replace('{secret}', '$CALLFEED_CALLBACK_SECRET');

  return `  curl "${address}" ${commandText(['--data-urlencode', `data=${JSON.stringify(call)}`])}`;
};

const agentsExample = ({ agents }: Pick<Addresses, 'agents'>): string =>
  `  ${commandText(['curl', agents, '-d', JSON.stringify({ action: 'log-in', agentId: 'sam', state: 'READY', skills: ['Sales'] })])}`;

const minutes = 60_000;

const run = async (options: CliOptions): Promise<number> => {
  const log = options.quiet ? () => undefined : print;
  const logOutput = (name: string, text: string): void => log(`${name}: ${text.trimEnd()}`);
  const signalled = firstSignal();

  const starting = startSandbox({ ...options, onLog: log, onFunctionOutput: options.verbose ? logOutput : undefined });
  const sandbox = await Promise.race([starting, signalled]);
  if (sandbox === 'stopped') return 0;
  log(announcement(sandbox, options, new Date()));

  const end = await Promise.race([signalled, sandbox.ended]);
  if (end === 'stopped') log('Stopping.');
  else printError('DynamoDB Local ended unexpectedly, so the sandbox stops.');
  await sandbox.stop();
  return end === 'stopped' ? 0 : 1;
};

const start = async (): Promise<number> => {
  const options = optionsFrom(process.argv.slice(2), process.env);
  if (options.ok && !options.value.help) return await run(options.value);
  if (options.ok) print(usage());
  else printError(options.problem);
  return options.ok ? 0 : 2;
};

try {
  process.exit(await start());
} catch (error) {
  printError(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
