import { Command, Option } from '@commander-js/extra-typings';
import { dayFrom, instantFrom, sinceFrom, zoneFrom } from './arguments.ts';
import { type Deployment, type DeploymentLocation, defaultStack } from './connection/deployment.ts';
import type { Terminal } from './output/terminal.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly connect: (where: DeploymentLocation) => Promise<Deployment>;
  readonly clock: () => Date;
  /**
   * From the first call on, Ctrl-C aborts this signal instead of ending the process, so that a command can stop in order.
   * A second Ctrl-C ends the process and prints `leftovers`: resources that the command has not deleted yet.
   */
  readonly interruption: (leftovers?: () => readonly string[]) => AbortSignal;
  /** From the first call on, a closed output (`| head`) aborts this signal instead of ending the process. */
  readonly outputClosed: () => AbortSignal;
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readonly readInput: () => Promise<Buffer>;
}

export type ExitCode = 0 | 1;

export interface RunContext extends Context {
  readonly setExitCode: (code: ExitCode) => void;
}

/** What a command needs of AWS, and when, if not always. `docs/permissions.md` is written from it. */
export interface Permission {
  readonly on: string;
  readonly actions: readonly string[];
  readonly when?: string | undefined;
}

/** Actions, with blanks between them, on something. */
export const on = (what: string, actions: string, when?: string): Permission => ({
  ...{ on: what, actions: actions.split(' '), when },
});

/** The names and time zones of accounts come from a row, which everybody may read who reads agents. */
export const accountNamesFrom = (when: string): Permission => on('Agents table', 'dynamodb:GetItem', when);
export const unlessNamed = accountNamesFrom('unless `--account` is given');

const receive = 'sqs:ReceiveMessage sqs:ChangeMessageVisibility';

export const listsDeadLetters = (of: string, when?: string): Permission => on(of, receive, when);
export const movesDeadLetters = (of: string, to: string): readonly Permission[] => [
  on(of, `${receive} sqs:DeleteMessage`),
  on(to, 'sqs:SendMessage'),
];

/** The command line without its commands, with the options that each of them has. */
export const newProgram = () =>
  new Command('callfeed')
    .option('--stack <name>', 'the stack of the deployment', defaultStack)
    .option('--endpoint <url>', 'a running sandbox instead, such as http://127.0.0.1:3000')
    .option('--region <region>', 'the region of the stack, as for the AWS CLI')
    .option('--profile <profile>', 'the profile of credentials, as for the AWS CLI')
    .option('--json', 'print one JSON object a line instead of a table', false);

export type GlobalOptions = ReturnType<ReturnType<typeof newProgram>['opts']>;

const bareCommand = () => newProgram().command('name', {});

export type BareCommand = ReturnType<typeof bareCommand>;

/** The options of a run, by the function that declares them. */
export type OptionsOf<Declare extends (command: BareCommand) => { readonly optsWithGlobals: () => unknown }> =
  ReturnType<ReturnType<Declare>['optsWithGlobals']>;

export const accountOption = new Option(
  '--account <name>',
  'the account, spelt as in the secret (default: the only one)',
);
export const dryRunOption = new Option('--dry-run', 'only say what would be done, and write nothing').default(false);
export const csvOption = new Option('--csv', 'print CSV for spreadsheets instead of a table').default(false);

/** An option of its own for each command, as each has other ones that it excludes. */
export const dayOption = () =>
  new Option('--day <day>', 'a day in the account’s time zone, such as 2026-11-20, today or yesterday').argParser(
    dayFrom,
  );
export const timeZoneOption = new Option(
  '--time-zone <zone>',
  'the account’s time zone (default: from the secret)',
).argParser(zoneFrom);
export const sinceOption = new Option('--since <time>', 'from so long ago until now (90m, 2h, 3d), or from an instant')
  .argParser(sinceFrom)
  .conflicts(['from', 'to']);

export const readerOptions = (command: BareCommand) =>
  command
    .addOption(accountOption)
    .option('--show-personal', 'show names, numbers and other personal fields (default: hidden)', false)
    .option('--verbose', 'print what each request to DynamoDB read, on the standard error', false);
export type ReaderOptions = OptionsOf<typeof readerOptions>;

export const rangeOptions = (command: BareCommand) =>
  readerOptions(command)
    .addOption(dayOption().conflicts(['since', 'from', 'to']))
    .addOption(timeZoneOption)
    .addOption(sinceOption)
    .option('--from <instant>', 'that started at this instant or later', instantFrom)
    .option('--to <instant>', 'that started at this instant or earlier', instantFrom);
export type RangeOptions = OptionsOf<typeof rangeOptions>;

interface MadeCommand<Options, Args> extends Pick<BareCommand, 'options' | 'registeredArguments'> {
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
  /** What follows the options in the help and in the page. */
  readonly help: string;
  /** What follows that in the help only, where another page has it. */
  readonly moreHelp?: string;
  readonly run: (context: RunContext, options: Options, ...args: Args) => Promise<void>;
}

export interface DeclaredCommand extends Omit<CommandDeclaration<unknown, unknown[]>, 'options' | 'run'> {
  /** Declares it, to be run where there is a context. */
  readonly declareIn: (command: BareCommand, context?: RunContext) => MadeCommand<unknown, unknown[]>;
}

export const command = <Options, Args extends unknown[]>({
  options,
  run,
  ...about
}: CommandDeclaration<Options, Args>): DeclaredCommand => ({
  ...about,
  declareIn(command, context) {
    const { description, help, moreHelp = '' } = about;
    const made = options(command.description(description).addHelpText('after', `\n${help}${moreHelp}`));
    if (context !== undefined) made.action(() => run(context, made.optsWithGlobals(), ...made.processedArgs));
    return made;
  },
});
