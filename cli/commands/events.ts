import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import * as z from 'zod';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import { type BusEvent, busEventOf, isWanted, maskedEvent, patternFor } from '../events/bus-event.ts';
import { busEvents } from '../events/bus-events.ts';
import { eventLine } from '../events/event-line.ts';
import { eventTypes } from '../events/event-types.ts';
import { sandboxEvents } from '../events/sandbox-events.ts';
import { Options } from '../options.ts';
import { printableJson } from '../output/printable.ts';
import { Problem } from '../problem.ts';

const EventsOptions = Options.extend({
  follow: z.boolean().default(false),
  type: z.array(z.string()).default([]),
  account: z.string().optional(),
  showPersonal: z.boolean().default(false),
});
type Asked = z.infer<typeof EventsOptions>;

/** `callfeed events` */
export const events = (program: Command, context: RunContext): void => {
  const command = program
    .command('events')
    .description('shows events as subscribers get them')
    .option('--follow', 'go on with each new one, until Ctrl-C')
    .option('--type <type>', 'of this detail-type only; may be given several times', eventTypes)
    .option('--account <name>', 'of this account only')
    .option('--show-personal', 'with --json, show names, numbers and the like, which are hidden otherwise')
    .addHelpText(
      'after',
      `
A sandbox tells all that it has had. The bus on AWS keeps none: there --follow makes a queue and a rule of its own, both
called callfeed-follow-…, and deletes them at the end. Events may come twice, and not in order. --json has them whole.

Examples:
  $ callfeed events --endpoint http://localhost:3000 --type "Call Summary Recorded"
  $ callfeed events --follow --account acme --json | jq .detail.callId`,
    );
  command.action(() => tell(context, EventsOptions.parse(command.optsWithGlobals())));
};

const tell = async (context: RunContext, asked: Asked): Promise<void> => {
  const { terminal } = context;
  const deployment = await context.connect(asked);
  let made: readonly string[] = [];
  const signal = AbortSignal.any([context.interruption(() => made), context.outputClosed()]);
  const onMade = (all: readonly string[]) => {
    made = all;
  };

  for await (const line of linesOf(deployment, asked, { context, signal, onMade })) {
    const event = busEventOf(line);
    if (event === undefined) terminal.note('Something came that is no event; it is not shown.');
    else if (isWanted(event, asked)) terminal.print(shown(event, asked));
  }
  if (asked.follow && !signal.aborted) terminal.note('The sandbox has stopped.');
};

const shown = (event: BusEvent, { json, showPersonal }: Asked): string => {
  if (!json) return eventLine(event);
  return printableJson(showPersonal ? event : maskedEvent(event));
};

interface Around {
  readonly context: RunContext;
  readonly signal: AbortSignal;
  readonly onMade: (all: readonly string[]) => void;
}

const linesOf = (
  { bus, sqs }: Deployment,
  asked: Asked,
  { context, signal, onMade }: Around,
): AsyncIterable<string> => {
  if (bus.kind === 'sandbox') return sandboxEvents(bus.name, { follow: asked.follow, signal });
  if (!asked.follow)
    throw new Problem(
      'The bus keeps no events for whoever comes later: --follow shows those to come, and “callfeed replay” has those of the past told again.',
      2,
    );
  const { note } = context.terminal;
  return busEvents({
    place: { sqs, eventbridge: bus.client, busName: bus.name, name: `callfeed-follow-${randomUUID().slice(0, 8)}` },
    pattern: patternFor(asked),
    signal,
    clock: context.clock,
    note,
    onMade,
    onLeft: (line) => {
      note(line);
      context.ends(1);
    },
  });
};
