import { randomUUID } from 'node:crypto';
import { type BareCommand, command, type OptionsOf, on, type RunContext } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import { eventTypesOption } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { printableJson } from '../frame/terminal.ts';
import { eventLine, matchesFilter, parseBusEvent, patternFor, redactedEvent } from './bus-event.ts';
import { sandboxEvents } from './event-lines.ts';
import { type FollowOptions, followBus } from './follow-bus.ts';

const options = (command: BareCommand) =>
  command
    .option('--follow', 'show new events as they come, until Ctrl-C', false)
    .addOption(eventTypesOption)
    .option('--account <name>', 'only this account')
    .option('--missed', 'only missed calls, by the contract’s isMissed', false)
    .option('--show-personal', 'with --json, show names, numbers and other personal fields (default: hidden)', false);
const follows = 'with `--follow`';

export const events = command({
  name: 'events',
  description: 'shows events as subscribers get them',
  permissions: [
    on(
      'rules `callfeed-follow-*` of the bus',
      'events:PutRule events:DeleteRule events:PutTargets events:RemoveTargets',
      follows,
    ),
    on(
      'queues `callfeed-follow-*`',
      'sqs:CreateQueue sqs:GetQueueAttributes sqs:SetQueueAttributes sqs:ReceiveMessage sqs:DeleteMessage sqs:DeleteQueue',
      follows,
    ),
    on('your own KMS key', 'kms:DescribeKey kms:GenerateDataKey kms:Decrypt', `${follows}, where the bus has one`),
  ],
  options,
  help: `A sandbox shows every event that it has published. The bus on AWS stores none. There, --follow makes a queue and a rule, both named
callfeed-follow-…, and deletes them at the end; it names what it could not delete, and the exit code is then 1. Events may come twice and
out of order, and the first ones after a minute.

Examples:
  $ callfeed events --endpoint http://localhost:3000 --type "Call Summary Recorded"
  $ callfeed events --follow --account acme --json | jq .detail.callId`,
  run: async (context, request) => {
    const { terminal } = context;
    const deployment = await context.connect(request);
    let resources: readonly string[] = [];
    const signal = AbortSignal.any([context.interruption(() => resources), context.outputClosed()]);
    const onResources = (all: readonly string[]) => {
      resources = all;
    };

    for await (const line of linesOf(deployment, request, { context, signal, onResources })) {
      const event = parseBusEvent(line);
      if (event === undefined) terminal.note('Skipped a message that is not an event.');
      else if (!matchesFilter(event, request)) continue;
      else if (request.json) terminal.print(printableJson(request.showPersonal ? event : redactedEvent(event)));
      else terminal.print(eventLine(event));
    }
    if (request.follow && !signal.aborted) terminal.note('The sandbox has stopped.');
  },
});

const linesOf = (
  { bus, sqs }: Deployment,
  request: OptionsOf<typeof options>,
  { context, ...following }: Pick<FollowOptions, 'signal' | 'onResources'> & { readonly context: RunContext },
): AsyncIterable<string> => {
  if (bus.kind === 'sandbox')
    return sandboxEvents(bus.eventsAddress, { follow: request.follow, signal: following.signal });
  if (!request.follow)
    throw new Problem(
      'The bus stores no events. --follow shows new ones; “callfeed replay” publishes past ones again.',
      2,
    );
  const { note } = context.terminal;
  return followBus({
    place: { sqs, eventbridge: bus.client, busName: bus.name, name: `callfeed-follow-${randomUUID().slice(0, 8)}` },
    pattern: patternFor(request),
    clock: context.clock,
    note,
    ...following,
    onLeftover: (line) => {
      note(line);
      context.setExitCode(1);
    },
  });
};
