import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import * as z from 'zod';
import { eventTypes } from '../arguments.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import {
  type BusEvent,
  eventLine,
  matchesFilter,
  parseBusEvent,
  patternFor,
  redactedEvent,
} from '../events/bus-event.ts';
import { followBus } from '../events/follow-bus.ts';
import { Options } from '../options.ts';
import { printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';

const answerTimeoutMs = 10_000;

/** How events are read that a sandbox keeps. */
export interface SandboxEventsOptions {
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** Every event that a sandbox has had, as lines of JSON; with `follow`, each new one too, until the signal aborts. */
async function* sandboxEvents(address: string, { follow, signal }: SandboxEventsOptions): AsyncGenerator<string> {
  const late = new AbortController();
  const patience = setTimeout(() => late.abort(), answerTimeoutMs);
  try {
    const answer = await fetch(follow ? `${address}?follow` : address, {
      signal: AbortSignal.any([signal, late.signal]),
    });
    clearTimeout(patience);
    if (answer.body !== null) yield* splitLines(answer.body.pipeThrough(new TextDecoderStream()));
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof TypeError || late.signal.aborted ? new Problem('The sandbox answers no more.') : error;
  } finally {
    clearTimeout(patience);
  }
}

async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Problem('The sandbox broke off in the midst of an event.');
}

const EventsOptions = Options.extend({
  follow: z.boolean().default(false),
  type: z.array(z.string()).default([]),
  account: z.string().optional(),
  showPersonal: z.boolean().default(false),
});
type EventsRequest = z.infer<typeof EventsOptions>;

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
  command.action(() => printEvents(context, EventsOptions.parse(command.optsWithGlobals())));
};

const printEvents = async (context: RunContext, asked: EventsRequest): Promise<void> => {
  const { terminal } = context;
  const deployment = await context.connect(asked);
  let made: readonly string[] = [];
  const signal = AbortSignal.any([context.interruption(() => made), context.outputClosed()]);
  const onMade = (all: readonly string[]) => {
    made = all;
  };

  for await (const line of linesOf(deployment, asked, { context, signal, onMade })) {
    const event = parseBusEvent(line);
    if (event === undefined) terminal.note('Something came that is no event; it is not shown.');
    else if (matchesFilter(event, asked)) terminal.print(formatEvent(event, asked));
  }
  if (asked.follow && !signal.aborted) terminal.note('The sandbox has stopped.');
};

const formatEvent = (event: BusEvent, { json, showPersonal }: EventsRequest): string => {
  if (!json) return eventLine(event);
  return printableJson(showPersonal ? event : redactedEvent(event));
};

interface EventsContext {
  readonly context: RunContext;
  readonly signal: AbortSignal;
  readonly onMade: (all: readonly string[]) => void;
}

const linesOf = (
  { bus, sqs }: Deployment,
  asked: EventsRequest,
  { context, signal, onMade }: EventsContext,
): AsyncIterable<string> => {
  if (bus.kind === 'sandbox') return sandboxEvents(bus.name, { follow: asked.follow, signal });
  if (!asked.follow)
    throw new Problem(
      'The bus keeps no events for whoever comes later: --follow shows those to come, and “callfeed replay” has those of the past told again.',
      2,
    );
  const { note } = context.terminal;
  return followBus({
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
