import { Option } from '@commander-js/extra-typings';
import { commandText } from '../../lib/core/command-text.ts';
import { wholeNumber } from '../arguments.ts';
import type { RunContext } from '../command.ts';
import { type BareCommand, command, type DeclaredCommand, dryRunOption } from '../command.ts';
import { Problem } from '../problem.ts';
import { listForwarded, listParked, redriveForwarded, redriveParked } from './dead-letters.ts';
import { listInVain, retryInVain } from './recordings/in-vain.ts';

/** The names of before 2.0.0 do their work until 3.0.0, and say the new name. */
const nowNamed = ({ terminal }: RunContext, ...words: readonly string[]): void =>
  terminal.note(`This name goes with 3.0.0. It is now: ${commandText(['callfeed', 'dead-letters', ...words])}`);

const former = { description: 'has another name', permissions: [], help: '' };

const limited = (most: number, usual: number) => (command: BareCommand) =>
  command.option('--limit <number>', 'the maximum', wholeNumber(1, most), usual);

const redriven = (command: BareCommand) =>
  command.option('--limit <number>', 'the maximum', wholeNumber(1, 1_000_000)).addOption(dryRunOption);

const list = (queue: string, options: ReturnType<typeof limited>, show: typeof listParked): DeclaredCommand =>
  command({
    ...{ ...former, name: 'list', options },
    ...(queue !== 'parked' && { isDefault: true }),
    run: async (context, given) => {
      nowNamed(context, 'list', queue);
      await show(context, await context.connect(given), given);
    },
  });

const redrive = (queue: string, move: typeof redriveParked): DeclaredCommand =>
  command({
    ...{ ...former, name: 'redrive', options: redriven },
    run: async (context, given) => {
      nowNamed(context, 'redrive', queue);
      await move(context, given);
    },
  });

export const parked = [list('parked', limited(10_000, 100), listParked), redrive('parked', redriveParked)];

export const forwarded = [
  list('forwarded', limited(100_000, 1_000), listForwarded),
  redrive('forwarded', redriveForwarded),
];

export const recordings: readonly DeclaredCommand[] = [
  command({
    ...{ ...former, name: 'list', isDefault: true },
    options: (command: BareCommand) =>
      limited(
        100_000,
        1_000,
      )(command)
        .option('--account <name>', 'only this account')
        .addOption(new Option('--status <status>', 'only these').choices(['waiting', 'given-up'])),
    run: async (context, options) => {
      nowNamed(context, 'list', 'recordings');
      await listInVain(context, await context.connect(options), options);
    },
  }),
  command({
    ...{ ...former, name: 'retry' },
    options: (command: BareCommand) =>
      command
        .option('--all', 'every call', false)
        .option('--account <name>', 'only this account')
        .addOption(dryRunOption)
        .argument('[ids...]', 'the calls'),
    run: async (context, { all, ...options }, ids) => {
      nowNamed(context, 'redrive', 'recordings');
      if (ids.length > 0 === all) throw new Problem('Give ids of calls, or --all.', 2);
      await retryInVain(context, { ...options, ids });
    },
  }),
];
