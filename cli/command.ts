import { Command, Option } from '@commander-js/extra-typings';
import { defaultStack } from './connection/deployment.ts';
import type { RunContext } from './context.ts';
import type { Permission } from './permissions.ts';

/** The command line without its commands, with the options that each of them has. */
export const newProgram = () =>
  new Command('callfeed')
    .option('--stack <name>', 'the stack of the deployment', defaultStack)
    .option('--endpoint <url>', 'a running sandbox instead, such as http://localhost:3000')
    .option('--region <region>', 'the region of the stack, as for the AWS CLI')
    .option('--profile <profile>', 'the profile of credentials, as for the AWS CLI')
    .option('--json', 'print one JSON object a line instead of a table', false);

export type GlobalOptions = ReturnType<ReturnType<typeof newProgram>['opts']>;

const bareCommand = () => newProgram().command('name', {});

/** A command before its own options and arguments. */
export type BareCommand = ReturnType<typeof bareCommand>;

/** The options of a run, by the function that declares them. */
export type OptionsOf<Declare extends (command: BareCommand) => { readonly optsWithGlobals: () => unknown }> =
  ReturnType<ReturnType<Declare>['optsWithGlobals']>;

export const accountOption = new Option(
  '--account <name>',
  'the account, spelt as in the secret (default: the only one)',
);
export const dryRunOption = new Option('--dry-run', 'only count, and write nothing').default(false);
export const csvOption = new Option('--csv', 'print CSV for spreadsheets instead of a table').default(false);

/** The options of every command that reads an account's calls or agents. */
export const readerOptions = (command: BareCommand) =>
  command
    .addOption(accountOption)
    .option('--show-personal', 'show names, numbers and other personal fields (default: hidden)', false)
    .option('--verbose', 'print what each request to DynamoDB read, on the standard error', false);
export type ReaderOptions = OptionsOf<typeof readerOptions>;

/** A command with its options and arguments, as far as a run needs it. */
interface MadeCommand<Options, Args> {
  readonly optsWithGlobals: () => Options;
  readonly processedArgs: Args;
  readonly action: (run: () => Promise<void>) => unknown;
}

/** How a command is called, what its help says, what it may do in AWS, and what it does. */
interface CommandDeclaration<Options, Args extends unknown[]> {
  readonly name: string;
  readonly description: string;
  /** Whether its group runs it where no command is named. */
  readonly isDefault?: true;
  readonly permissions: readonly Permission[];
  readonly options: (command: BareCommand) => MadeCommand<Options, Args>;
  /** What follows the options in the help. */
  readonly help: string;
  readonly run: (context: RunContext, options: Options, ...args: Args) => Promise<void>;
}

/** A command that can be added to a program or to a group of commands. */
export interface DeclaredCommand extends Omit<CommandDeclaration<unknown, unknown[]>, 'options' | 'run'> {
  readonly declareIn: (command: BareCommand, context: RunContext) => void;
}

export const command = <Options, Args extends unknown[]>({
  options,
  run,
  ...about
}: CommandDeclaration<Options, Args>): DeclaredCommand => ({
  ...about,
  declareIn(command, context) {
    const made = options(command.description(about.description).addHelpText('after', `\n${about.help}`));
    made.action(() => run(context, made.optsWithGlobals(), ...made.processedArgs));
  },
});
