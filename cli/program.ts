import { CommanderError, Help, type HelpConfiguration } from '@commander-js/extra-typings';
import { agents, floor } from './agents/agents.ts';
import { timeline } from './agents/timeline.ts';
import { call } from './calls/call.ts';
import { calls } from './calls/calls.ts';
import { consoleCommand } from './console/console.ts';
import { day } from './day/day.ts';
import { deadLetterCommands, deadLetterQueues } from './dead-letters/dead-letters.ts';
import { formerGroups } from './dead-letters/former-names.ts';
import { erase } from './erase/erase.ts';
import { events } from './events/events.ts';
import { features } from './features.ts';
import { type Context, type DeclaredCommand, type ExitCode, newProgram, type RunContext } from './frame/command.ts';
import { problemOf } from './frame/problem.ts';
import { printable } from './frame/terminal.ts';
import { connectAndCompare } from './frame/version-fit.ts';
import { quarantineDismiss, quarantineList, quarantineShow } from './quarantine/quarantine.ts';
import { quarantineRedrive } from './quarantine/quarantine-redrive.ts';
import { renormalise } from './renormalise/renormalise.ts';
import { replay } from './replay/replay.ts';
import { checkAccounts } from './set-up/check-accounts.ts';
import { init } from './set-up/init.ts';
import { status } from './status/status.ts';
import { version } from './status/version.ts';
import { unknown } from './unknown/unknown.ts';
import { verify } from './verify/verify.ts';

export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly hidden?: true;
  readonly commands: readonly DeclaredCommand[];
}

const queues = deadLetterQueues(features);

export const commands: readonly (DeclaredCommand | CommandGroup)[] = [
  consoleCommand(features),
  status(features),
  agents,
  floor,
  timeline,
  calls,
  call,
  day,
  unknown,
  events,
  ...features.flatMap(({ commands }) => commands ?? []),
  {
    name: 'quarantine',
    description: 'posts and records that were rejected and stored',
    commands: [quarantineList, quarantineShow, quarantineRedrive, quarantineDismiss],
  },
  {
    name: 'dead-letters',
    description: 'calls, deliveries and recordings that were tried in vain',
    commands: deadLetterCommands(queues),
  },
  renormalise,
  verify,
  replay,
  erase,
  checkAccounts,
  init,
  version,
  ...formerGroups(queues),
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
    // The message may name what somebody else has sent or set.
    terminal.note(printable(message, true));
    return exitCode;
  }
};

const withVersionCommand = (args: readonly string[]): string[] => {
  const others = args.filter((argument) => argument !== '--version' && argument !== '-V');
  return others.length === args.length ? others : ['version', ...others];
};

const help: HelpConfiguration = {
  showGlobalOptions: true,
  /** The default of an option without a value says nothing. */
  optionDescription: (option) => (option.isBoolean() ? option.description : new Help().optionDescription(option)),
};

const programFor = (context: RunContext) => {
  const { print, note } = context.terminal;
  const program = newProgram()
    .description('Reads and operates a deployment of Callfeed, on AWS or in a sandbox.')
    .exitOverride()
    .showHelpAfterError('(See callfeed … --help.)')
    .configureHelp(help)
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => note(text.trimEnd()) });

  for (const one of commands)
    if ('commands' in one) {
      const group = program.command(one.name, { hidden: one.hidden ?? false }).description(one.description);
      for (const member of one.commands)
        member.declareIn(group.command(member.name, { isDefault: member.isDefault ?? false }), context);
    } else one.declareIn(program.command(one.name), context);
  return program.addHelpText('after', '\nExit codes: 0 done, 1 something failed, 2 the command line is wrong.');
};
