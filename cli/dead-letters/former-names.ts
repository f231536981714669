import { commandText } from '../../lib/core/command-text.ts';
import { type BareCommand, command, type DeclaredCommand, type RunContext } from '../frame/command.ts';
import { Problem } from '../frame/problem.ts';
import { listOptions, listOrCount, parked, type Queues, redrive, redriveOptions } from './dead-letters.ts';

/** The names before 2.0.0. They work until 3.0.0 and print the new name. */
export const formerGroups = (queues: Queues) =>
  queues.map(({ name, isSelectable }) => {
    const noteNewName = ({ terminal }: RunContext, verb: string) =>
      terminal.note(`This name goes with 3.0.0. It is now: ${commandText(['callfeed', 'dead-letters', verb, name])}`);
    const about = { description: 'has another name', permissions: [], help: '' };
    const commands: readonly DeclaredCommand[] = [
      command({
        ...about,
        name: 'list',
        options: listOptions,
        ...(name !== parked.name && { isDefault: true }),
        run: async (context, options) => {
          noteNewName(context, 'list');
          await listOrCount(queues, context, options, name);
        },
      }),
      command({
        ...about,
        name: isSelectable ? 'retry' : 'redrive',
        options: (command: BareCommand) =>
          redriveOptions(command).option('--all', 'every call', false).argument('[ids...]', 'the calls'),
        run: async (context, { all, ...options }, ids) => {
          noteNewName(context, 'redrive');
          const hasIds = ids.length > 0;
          if (isSelectable && hasIds === all) throw new Problem('Give ids of calls, or --all.', 2);
          await redrive(queues, context, { ...options, ids }, name);
        },
      }),
    ];
    return { name, description: 'see dead-letters', hidden: true, commands } as const;
  });
