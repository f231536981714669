import { once } from 'node:events';
import { readsAgents } from '../agents/agents.ts';
import { type BareCommand, command, on } from '../frame/command.ts';
import type { Feature } from '../frame/feature.ts';
import { wholeNumber, zoneFrom } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { describeRead } from '../frame/reader.ts';
import { printableJson } from '../frame/terminal.ts';
import { type HandlerSettings, newToken, serveConsole } from './serve.ts';

/** A browser keeps its choices for an address with its port, so the port should be the same at the next start. */
const usualPort = 3080;

export const consoleCommand = (features: readonly Feature[]) =>
  command({
    name: 'console',
    description: 'shows floor, calls, agents, events and health in your browser, at an address of this machine',
    permissions: [
      ...readsAgents,
      on('Calls table and its indexes', 'dynamodb:Query dynamodb:BatchGetItem'),
      on('quarantine table', 'dynamodb:Scan', 'for Health, which without it shows a dash and the missing permission'),
      on('the queues', 'sqs:GetQueueAttributes', 'for Health likewise'),
    ],
    options: (command: BareCommand) =>
      command
        .option(
          '--port <number>',
          `the port to serve on; 0 picks a free one (default: ${usualPort}, or a free one if that is taken)`,
          wholeNumber(0, 65_535),
        )
        .option('--personal', 'show names, numbers, recordings and comments (default: hidden)', false)
        .option('--account <name>', 'only this account, spelt as in the secret')
        .option('--time-zone <zone>', 'with --account: its time zone; the secret is then not read', zoneFrom)
        .option('--verbose', 'print what each request to DynamoDB read, on the standard error', false),
    help: `Prints the address and serves until Ctrl-C. Only this machine can open it, and only with the token in the address.

Examples:
  $ callfeed console
  $ callfeed console --endpoint http://localhost:3000 --personal`,
    run: async (context, options) => {
      const { terminal, clock } = context;
      if (options.timeZone !== undefined && options.account === undefined)
        throw new Problem('--time-zone needs --account: each account has a zone of its own.', 2);
      const stop = context.interruption();
      const settings: HandlerSettings = {
        deployment: await context.connect(options),
        location: options,
        account: options.account,
        timeZone: options.timeZone,
        isPersonal: options.personal,
        features,
        clock,
        token: newToken(),
        ...(options.verbose && { onRead: (read) => terminal.note(describeRead(read)) }),
      };
      // Whatever the usual port lacks, a free one is tried.
      const served = await serveConsole(settings, options.port ?? usualPort).catch((error: unknown) => {
        if (options.port !== undefined) throw error;
        return serveConsole(settings, 0);
      });
      terminal.print(options.json ? printableJson({ address: served.url }) : served.url);
      terminal.note('Open this address in a browser of this machine. Ctrl-C ends the console.');
      if (!stop.aborted) await once(stop, 'abort');
      await served.close();
    },
  });
