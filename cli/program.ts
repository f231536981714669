import { Command, CommanderError } from 'commander';
import { agents, floor } from './commands/agents.ts';
import { archive } from './commands/archive.ts';
import { call } from './commands/call.ts';
import { calls } from './commands/calls.ts';
import { checkAccounts } from './commands/check-accounts.ts';
import { consoleCommand } from './commands/console.ts';
import { day } from './commands/day.ts';
import { erase } from './commands/erase.ts';
import { events } from './commands/events.ts';
import { init } from './commands/init.ts';
import { forwardedList, forwardedRedrive, parkedList, parkedRedrive } from './commands/letters.ts';
import { quarantineDismiss, quarantineList, quarantineShow } from './commands/quarantine.ts';
import { quarantineRedrive } from './commands/quarantine-redrive.ts';
import { query } from './commands/query.ts';
import { reconcile } from './commands/reconcile.ts';
import { recording } from './commands/recording.ts';
import { recordingsList, recordingsRetry } from './commands/recordings.ts';
import { renormalise } from './commands/renormalise.ts';
import { replay } from './commands/replay.ts';
import { send } from './commands/send.ts';
import { status } from './commands/status.ts';
import { timeline } from './commands/timeline.ts';
import { unknown } from './commands/unknown.ts';
import { verify } from './commands/verify.ts';
import { connectAndCompare, version } from './commands/version.ts';
import type { Context, ExitCode, RunContext } from './context.ts';
import { type AddCommand, withGlobalOptions } from './options.ts';
import { printable } from './output/terminal.ts';
import { problemOf } from './problem.ts';

/** A group of commands, with its description. */
const group =
  (name: string, description: string, commands: readonly AddCommand[]): AddCommand =>
  (program, context) => {
    const added = program.command(name).description(description);
    for (const add of commands) add(added, context);
    return added;
  };

/** The commands in the order of the help. */
const commands: readonly AddCommand[] = [
  ...[consoleCommand, status, agents, floor, timeline, calls, call, recording, day, query, unknown, events, send],
  group('quarantine', 'posts and records that were rejected and stored', [
    ...[quarantineList, quarantineShow, quarantineRedrive, quarantineDismiss],
  ]),
  group('parked', 'calls that could not be stored for a day', [parkedList, parkedRedrive]),
  group('forwarded', 'deliveries that are posted on to other receivers', [forwardedList, forwardedRedrive]),
  group('recordings', 'recordings that were asked for in vain', [recordingsList, recordingsRetry]),
  ...[archive, reconcile, renormalise, verify, replay, erase, checkAccounts, init, version],
];

/** Runs a command line. Resolves with the exit code: 0 done, 1 something failed, 2 the command line is wrong. */
export const run = async (args: readonly string[], context: Context): Promise<number> => {
  const { terminal } = context;
  let code: ExitCode = 0;
  const setExitCode = (exitCode: ExitCode) => {
    code = exitCode;
  };
  try {
    const connect = connectAndCompare(context);
    await programFor({ ...context, connect, setExitCode }).parseAsync(withVersionCommand(args), { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already printed the problem, or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { message, exitCode } = problemOf(error);
    // It may name what somebody else has sent or set.
    terminal.note(printable(message, true));
    return exitCode;
  }
};

/** The option is a command, because it asks the deployment. */
const withVersionCommand = (args: readonly string[]): string[] => {
  const others = args.filter((argument) => argument !== '--version' && argument !== '-V');
  return others.length === args.length ? others : ['version', ...others];
};

const programFor = (context: RunContext): Command => {
  const { print, note } = context.terminal;
  const program = withGlobalOptions(new Command('callfeed'))
    .description('Reads and operates a deployment of Callfeed, on AWS or in a sandbox.')
    .exitOverride()
    .showHelpAfterError('(See callfeed … --help.)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => note(text.trimEnd()) });

  for (const add of commands) add(program, context);
  return program.addHelpText('after', '\nExit codes: 0 done, 1 something failed, 2 the command line is wrong.');
};
