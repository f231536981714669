import { Argument, type Command, Option } from 'commander';
import { defaultStack } from './connection/deployment.ts';
import type { RunContext } from './context.ts';

/** An option or argument of a command, by the name of its value: `dryRun` is `--dry-run`. */
export interface Setting<Value> {
  readonly declare: (flag: string) => Option | Argument;
  /** The value of an option that is not given, where it is not undefined. */
  readonly absent?: Value;
}

type Settings = Readonly<Record<string, Setting<unknown>>>;

type ValueOf<Declared> = Declared extends Setting<infer Value> ? Value : never;

/** The settings that have a value in every run. */
type Present<Declared extends Settings> = {
  [Name in keyof Declared]: undefined extends ValueOf<Declared[Name]> ? never : Name;
}[keyof Declared];

/** The values of settings: what need not be given may be absent. */
type ValuesOf<Declared extends Settings> = { readonly [Name in Present<Declared>]: ValueOf<Declared[Name]> } & {
  readonly [Name in Exclude<keyof Declared, Present<Declared>>]?: ValueOf<Declared[Name]>;
};

/** An option without a value. */
export const flag = (text: string): Setting<boolean> => ({
  declare: (name) => new Option(name, text),
  absent: false,
});

/** An option that is true unless it is given as `--no-…`. */
export const unlessNot = (text: string): Setting<boolean> => ({
  declare: (name) => new Option(name.replace('--', '--no-'), text),
});

type Parser<Value> = (typed: string, previous: Value | undefined) => Value;

const asTyped = (typed: string): string => typed;

const valued =
  <Value>(placeholder: string, about: string, parse: Parser<Value>) =>
  (name: string): Option =>
    new Option(`${name} ${placeholder}`, about).argParser(parse);

/** An option with a text. */
export const text = (placeholder: string, about: string): Setting<string | undefined> =>
  parsed(placeholder, about, asTyped);

/** An option whose value is parsed. */
export const parsed = <Value>(
  placeholder: string,
  about: string,
  parse: Parser<Value>,
): Setting<Value | undefined> => ({
  declare: valued(placeholder, about, parse),
});

/** The same option with a value that it has where it is not given. The help shows it. */
export const withDefault = <Value>(
  placeholder: string,
  about: string,
  parse: Parser<Value>,
  value: Value,
): Setting<Value> => ({
  declare: (name) => valued(placeholder, about, parse)(name).default(value),
});

/** The same option that has to be given. */
export const required = <Value>(placeholder: string, about: string, parse: Parser<Value>): Setting<Value> => ({
  declare: (name) => valued(placeholder, about, parse)(name).makeOptionMandatory(),
});

/** An option that may be given several times. */
export const several = <Value>(
  placeholder: string,
  about: string,
  parse: Parser<readonly Value[]>,
): Setting<readonly Value[]> => ({ declare: valued(placeholder, about, parse), absent: [] });

/** An option whose value is one of some words. */
export const choice = <const Word extends string>(
  placeholder: string,
  about: string,
  words: readonly Word[],
): Setting<Word | undefined> => ({ declare: (name) => new Option(`${name} ${placeholder}`, about).choices(words) });

/** An argument: `<id>` has to be given, `[id]` may be, and there are several of `<id...>`. */
export const argument = <Form extends `<${string}>` | `[${string}]`>(
  form: Form,
  about: string,
): Setting<ArgumentValue<Form>> => ({ declare: () => new Argument(form, about) });

type ArgumentValue<Form extends string> = Form extends `${string}...${string}`
  ? readonly string[]
  : Form extends `<${string}`
    ? string
    : string | undefined;

/** The options of every command. */
export const globalSettings = {
  stack: withDefault('<name>', 'the stack of the deployment', asTyped, defaultStack),
  endpoint: text('<url>', 'a running sandbox instead, such as http://localhost:3000'),
  region: text('<region>', 'the region of the stack, as for the AWS CLI'),
  profile: text('<profile>', 'the profile of credentials, as for the AWS CLI'),
  json: flag('print one JSON object a line instead of a table'),
};
export type GlobalOptions = ValuesOf<typeof globalSettings>;

/** All options and arguments of a command. */
export type OptionsOf<Declared extends Settings> = GlobalOptions & ValuesOf<Declared>;

/** The option of a command that needs one account. */
export const account = text('<name>', 'the account, spelt as in the secret (default: the only one)');

/** The options of every command that reads an account's calls or agents. */
export const readerSettings = {
  account,
  showPersonal: flag('show names, numbers and other personal fields (default: hidden)'),
  verbose: flag('print what each request to DynamoDB read, on the standard error'),
};
export type ReaderOptions = OptionsOf<typeof readerSettings>;

/** Declares options and arguments. Resolves the values of a run from what was typed. */
const declared = <Declared extends Settings>(command: Command, settings: Declared) => {
  const names: string[] = [];
  for (const [name, { declare }] of Object.entries(settings)) {
    const made = declare(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    if (made instanceof Option) command.addOption(made);
    else {
      command.addArgument(made);
      names.push(name);
    }
  }
  const absent = Object.fromEntries(
    Object.entries({ ...globalSettings, ...settings }).map(([name, one]) => [name, one.absent]),
  );
  return () => ({
    ...absent,
    ...command.optsWithGlobals<OptionsOf<Declared>>(),
    ...Object.fromEntries(names.map((name, index) => [name, command.processedArgs[index]])),
  });
};

/** Declares the options of every command. */
export const withGlobalOptions = (program: Command): Command => {
  declared(program, globalSettings);
  return program;
};

/** How a command is called, what its help says, and what it does. */
export interface CommandDeclaration<Declared extends Settings> {
  readonly name: string;
  readonly description: string;
  /** Whether its group runs it where no command is named. */
  readonly isDefault?: true;
  readonly settings: Declared;
  /** What follows the options in the help. */
  readonly help: string;
  readonly run: (context: RunContext, options: OptionsOf<Declared>) => Promise<void>;
}

/** Adds a command to a program or a group of commands. */
export type AddCommand = (parent: Command, context: RunContext) => Command;

/** Declares a command. */
export const command =
  <Declared extends Settings>(declaration: CommandDeclaration<Declared>): AddCommand =>
  (parent, context) => {
    const { name, description, isDefault = false, settings, help, run } = declaration;
    const made = parent.command(name, { isDefault }).description(description).addHelpText('after', `\n${help}`);
    const valuesOf = declared(made, settings);
    return made.action(() => run(context, valuesOf()));
  };
