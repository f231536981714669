import type { Command } from 'commander';
import type { Call, CallParticipant } from '../../lib/contract/rows.ts';
import type { RunContext } from '../context.ts';
import { factLines, factText } from '../output/fact-lines.ts';
import { masked } from '../output/masked.ts';
import { printable, printableJson } from '../output/printable.ts';
import { ShownCall } from '../output/shown-call.ts';
import { styled } from '../output/styled.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';
import { ReaderOptions, withReaderOptions } from '../reader-options.ts';
import type { Terminal } from '../terminal.ts';

/** `callfeed call ID` */
export const call = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('call'))
    .description('shows a call: its legs, its participants, and what each delivery said differently')
    .argument('<id>', 'the call, as “callfeed calls” lists it')
    .addHelpText(
      'after',
      `
Examples:
  $ callfeed call 12345678901234567890
  $ callfeed call 12345678901234567890 --json --show-personal | jq '.legs[].deliveries'`,
    );
  command.action((callId: string) => show(context, callId, ReaderOptions.parse(command.optsWithGlobals())));
};

const show = async (context: RunContext, callId: string, asked: ReaderOptions): Promise<void> => {
  const { terminal } = context;
  const { account, client } = await reader(context, asked);
  const found = await client.call(callId);
  if (found === undefined)
    throw new Problem(
      `${printable(account)} has no call ${printable(callId)}. Are the account and the call spelt as in the secret and in “callfeed calls”?`,
    );

  const shown = asked.showPersonal ? found : masked(ShownCall, found);
  if (asked.json) {
    terminal.print(printableJson({ account, callId, ...shown }));
    return;
  }
  for (const { leg, ...row } of shown.legs) tell(terminal, `Leg ${leg}`, row);
  for (const { participantId, ...row } of shown.participants) tell(terminal, `Participant ${participantId}`, row);
};

const tell = (
  terminal: Terminal,
  title: string,
  { account, callId, revision, deliveries, ...facts }: Omit<Call, 'leg'> | Omit<CallParticipant, 'participantId'>,
): void => {
  const { print } = terminal;
  print(styled(terminal, 'bold', printable(`${title} of call ${callId} of ${account}, revision ${revision}`)));
  for (const line of factLines(facts)) print(line);
  print(`  ${deliveries.length === 1 ? '1 delivery' : `${deliveries.length} deliveries`}:`);
  for (const { receivedAt, differs } of deliveries) print(`    ${receivedAt}  ${difference(differs)}`);
  print('');
};

/** What is null was not said. */
const difference = (differs: Readonly<Record<string, unknown>> = {}): string => {
  const names = Object.keys(differs).toSorted();
  const said = names.filter((name) => differs[name] !== null).map((name) => `${name}: ${factText(differs[name])}`);
  const unsaid = names.filter((name) => differs[name] === null);
  const all = [...said, ...(unsaid.length === 0 ? [] : [`without ${unsaid.join(', ')}`])];
  return all.length === 0 ? 'said what stands' : printable(all.join('; '));
};
