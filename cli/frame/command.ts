import { Command } from '@commander-js/extra-typings';
import { type Deployment, type DeploymentLocation, defaultStack } from './deployment.ts';
import type { Terminal } from './terminal.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly connect: (where: DeploymentLocation) => Promise<Deployment>;
  readonly clock: () => Date;
  /** From its call on, Ctrl-C aborts this signal. A second one ends the process, and prints what has not been deleted yet. */
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

export const on = (what: string, actions: string, when?: string): Permission => ({
  on: what,
  actions: actions.split(' '),
  when,
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

export type OptionsOf<Declare extends (command: BareCommand) => { readonly optsWithGlobals: () => unknown }> =
  ReturnType<ReturnType<Declare>['optsWithGlobals']>;

interface MadeCommand<Options, Args> extends Pick<BareCommand, 'options' | 'registeredArguments'> {
  readonly optsWithGlobals: () => Options;
  readonly processedArgs: Args;
  readonly action: (run: () => Promise<void>) => unknown;
}

interface CommandDeclaration<Options, Args extends unknown[]> {
  readonly name: string;
  readonly description: string;
  /** Whether its group runs it where no command is named. */
  readonly isDefault?: true;
  readonly permissions: readonly Permission[];
  readonly options: (command: BareCommand) => MadeCommand<Options, Args>;
  /** What follows the options in the help and in the page. */
  readonly help: string;
  readonly run: (context: RunContext, options: Options, ...args: Args) => Promise<void>;
}

export interface DeclaredCommand extends Omit<CommandDeclaration<unknown, unknown[]>, 'options' | 'run'> {
  readonly declareIn: (command: BareCommand, context?: RunContext) => MadeCommand<unknown, unknown[]>;
}

export const command = <Options, Args extends unknown[]>({
  options,
  run,
  ...about
}: CommandDeclaration<Options, Args>): DeclaredCommand => ({
  ...about,
  declareIn(command, context) {
    const { description, help } = about;
    const made = options(command.description(description).addHelpText('after', `\n${help}`));
    if (context !== undefined) made.action(() => run(context, made.optsWithGlobals(), ...made.processedArgs));
    return made;
  },
});
