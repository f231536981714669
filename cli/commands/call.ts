import type { Command } from 'commander';
import * as z from 'zod';
import { Call, CallParticipant, StoredDelivery } from '../../lib/contract/rows.ts';
import type { RunContext } from '../context.ts';
import { ReaderOptions, withReaderOptions } from '../options.ts';
import { redacted } from '../output/redact.ts';
import { printable, printableJson, styled, type Terminal } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';

const indent = 2;

/** The fields of a record, one a line. */
export const factLines = (record: object): readonly string[] => {
  const facts = Object.entries(record).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...facts.map(([name]) => name.length));
  return facts.map(
    ([name, value]) => `${' '.repeat(indent)}${printable(name).padEnd(width + indent)}${factText(value)}`,
  );
};

/** A fact in a line: texts as they are, lists with commas, anything else as JSON. */
const factText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(factText).join(', ');
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

/** What a delivery said otherwise has the names of the row's own fields, and is personal where they are. */
const deliveriesOf = (facts: z.ZodObject) => z.array(StoredDelivery.extend({ differences: facts.optional() }));

/** Everything about a call, declared so that what is personal in its deliveries is told apart too. */
const PrintableCall = z.object({
  legs: z.array(Call.extend({ deliveries: deliveriesOf(Call) })),
  participants: z.array(CallParticipant.extend({ deliveries: deliveriesOf(CallParticipant) })),
});

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

  const shown = asked.showPersonal ? found : redacted(PrintableCall, found);
  if (asked.json) {
    terminal.print(printableJson({ account, callId, ...shown }));
    return;
  }
  for (const { leg, ...row } of shown.legs) printRow(terminal, `Leg ${leg}`, row);
  for (const { participantId, ...row } of shown.participants) printRow(terminal, `Participant ${participantId}`, row);
};

const printRow = (
  terminal: Terminal,
  title: string,
  { account, callId, revision, deliveries, ...facts }: Omit<Call, 'leg'> | Omit<CallParticipant, 'participantId'>,
): void => {
  const { print } = terminal;
  print(styled(terminal, 'bold', printable(`${title} of call ${callId} of ${account}, revision ${revision}`)));
  for (const line of factLines(facts)) print(line);
  print(`  ${deliveries.length === 1 ? '1 delivery' : `${deliveries.length} deliveries`}:`);
  for (const { receivedAt, differences } of deliveries) print(`    ${receivedAt}  ${difference(differences)}`);
  print('');
};

/** What is null was not said. */
const difference = (differences: Readonly<Record<string, unknown>> = {}): string => {
  const names = Object.keys(differences).toSorted();
  const said = names
    .filter((name) => differences[name] !== null)
    .map((name) => `${name}: ${factText(differences[name])}`);
  const unsaid = names.filter((name) => differences[name] === null);
  const all = [...said, ...(unsaid.length === 0 ? [] : [`without ${unsaid.join(', ')}`])];
  return all.length === 0 ? 'said what stands' : printable(all.join('; '));
};
