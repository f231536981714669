import { type DeclaredCommand, newProgram } from '../../cli/frame/command.ts';
import { csvOption, dryRunOption, rangeOptions, readerOptions } from '../../cli/frame/options.ts';
import { commands } from '../../cli/program.ts';
import { code, markdownTable } from './markdown.ts';

interface ShownCommand {
  /** Such as `quarantine list`. */
  readonly path: string;
  readonly declared: DeclaredCommand;
}

/** The commands of the help, in its order. */
const shown: readonly ShownCommand[] = commands.flatMap((one) => {
  if (!('commands' in one)) return [{ path: one.name, declared: one }];
  return one.hidden ? [] : one.commands.map((declared) => ({ path: `${one.name} ${declared.name}`, declared }));
});

type Options = ReturnType<DeclaredCommand['declareIn']>['options'];

/** An item for each option. Of choices only the help tells, as some are long. */
const optionList = (options: Options): string =>
  options
    .map((option) => {
      const usual = option.defaultValue;
      const text = typeof usual === 'string' || typeof usual === 'number' ? ` (default: ${usual})` : '';
      return `- ${code(option.flags)}: ${escaped(option.description)}${text}`;
    })
    .join('\n');

/** A placeholder such as `<stage>` would be HTML. */
const escaped = (text: string): string => text.replaceAll('<', String.raw`\<`);

/** What several commands have is told once. */
const shared = rangeOptions(newProgram().command('reader')).addOption(csvOption).addOption(dryRunOption).options;

const ofReaders = readerOptions(newProgram().command('reader')).options;

const isIn =
  (some: Options) =>
  ({ flags, description }: Options[number]): boolean =>
    some.some((one) => one.flags === flags && one.description === description);

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const example = /^ {2}\$ (.*)$/gm;

const sectionOf = ({ path, declared }: ShownCommand): string => {
  const { options, registeredArguments } = declared.declareIn(newProgram().command(declared.name));
  const usage = [
    'callfeed',
    path,
    ...registeredArguments.map((one) => {
      const name = one.variadic ? `${one.name()}...` : one.name();
      return one.required ? `<${name}>` : `[${name}]`;
    }),
  ].join(' ');
  const examples = [...declared.help.matchAll(example)].map(([, line = '']) =>
    line.replace(/^callfeed|(?<=\| )callfeed/, 'npx callfeed'),
  );
  const prose = declared.help
    .replaceAll(example, '')
    .replace(/^Examples?:\n/m, '')
    .trim();
  const own = options.filter((one) => !isIn(shared)(one));
  const isReader = ofReaders.every(isIn(options));
  const others = options.filter((one) => isIn(shared)(one) && !(isReader && isIn(ofReaders)(one)));
  return [
    `### ${code(usage)}`,
    capitalised(escaped(declared.description)),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``]),
    ...(own.length === 0 ? [] : [optionList(own)]),
    ...(others.length === 0 ? [] : [`Also ${others.map(({ long = '' }) => code(long)).join(', ')}.`]),
    ...(prose === '' ? [] : [escaped(prose)]),
  ].join('\n\n');
};

/** Which command is in which part of the page, by the first word of its path. */
const partNameOf = ({ path }: ShownCommand): string => `command-${path.split(' ')[0]}`;

/** The generated parts of the pages about the command line, by their names. */
export const commandParts = (): Readonly<Record<string, string>> => ({
  'global-options': optionList(newProgram().options),
  'shared-options': optionList(shared),
  ...Object.fromEntries(
    [...Map.groupBy(shown, partNameOf)].map(([name, some]) => [name, some.map(sectionOf).join('\n\n')]),
  ),
  permissions: markdownTable(
    ['Command', 'Permissions', 'On', 'When'],
    shown.flatMap(({ path, declared: { permissions } }) =>
      permissions.length === 0
        ? [[code(path), 'none', '', '']]
        : permissions.map(({ on, actions, when = '' }, index) => [
            index === 0 ? code(path) : '',
            actions.map(code).join(', '),
            on,
            when,
          ]),
    ),
  ),
});
