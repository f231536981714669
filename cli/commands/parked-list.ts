import type { Command } from 'commander';
import * as z from 'zod';
import type { RunContext } from '../context.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { Options } from '../options.ts';
import { report } from '../output/report.ts';
import { deadLetters, depthOf, type Letter, letGo } from '../parked/dead-letters.ts';
import { toldLetter } from '../parked/told-letter.ts';

const ListOptions = Options.extend({ limit: z.int() });

const columns = {
  kind: 'KIND',
  account: 'ACCOUNT',
  callId: 'CALL',
  receivedAt: 'RECEIVED AT',
  tries: 'TRIES',
  id: 'MESSAGE',
};

/** `callfeed parked list` */
export const parkedList = (group: Command, context: RunContext): void => {
  const command = group
    .command('list')
    .description('lists what could not be stored with all tries, and leaves it where it is')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 10_000), 100)
    .addHelpText(
      'after',
      `
What still waits for its table needs nothing: recovery tries it every six minutes for a day. Only what is left after
that is listed here; SQS deletes it 14 days after it was parked. A look at a message counts as a try.

Example:
  $ callfeed parked list`,
    );
  command.action(() => list(context, ListOptions.parse(command.optsWithGlobals())));
};

const list = async ({ terminal, connect }: RunContext, options: z.infer<typeof ListOptions>): Promise<void> => {
  const deployment = await connect(options);
  const waiting = await depthOf(deployment, deployment.queues.parking);
  const setAside = await depthOf(deployment, deployment.queues.deadLetters);

  const letters: Letter[] = [];
  try {
    for await (const letter of deadLetters(deployment, options.limit)) {
      letters.push(letter);
      terminal.progress(`${letters.length} read`);
    }
  } finally {
    await letGo(deployment, letters);
  }
  report(terminal, options.json, columns, letters.map(toldLetter));
  terminal.note(`${letters.length} listed of about ${setAside} set aside; about ${waiting} wait and need nothing.`);
};
