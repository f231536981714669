import * as z from 'zod';
import type { CallDetails } from '../../client/calls.ts';
import { Call, CallParticipant, StoredDelivery } from '../../lib/contract/rows.ts';
import { missedStates } from '../../lib/contract/rules.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { type BareCommand, command, on } from '../frame/command.ts';
import { readerOptions } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { reader } from '../frame/reader.ts';
import { redacted } from '../frame/redact.ts';
import { printable, printableJson, styled, type Terminal } from '../frame/terminal.ts';
import { counted, durationText, localText } from '../frame/texts.ts';
import { partlyLookedText, type WaitAnswer, waitAnswer } from './wait-answer.ts';

export const call = command({
  name: 'call',
  description:
    'shows a call: its legs, its participants, where each delivery came from and how it differed, and what became of a missed one',
  permissions: [
    on('Calls table and its indexes', 'dynamodb:Query'),
    on('Calls table', 'dynamodb:BatchGetItem'),
    on('Agents table', 'dynamodb:GetItem'),
  ],
  options: (command: BareCommand) =>
    readerOptions(command)
      .option(
        '--as-sent',
        'prints what the telephony service sent, to the letter, without keys; it names people',
        false,
      )
      .argument('<id>', 'the call, as “callfeed calls” lists it'),
  help: `Examples:
  $ callfeed call 12345678901234567890
  $ callfeed call 12345678901234567890 --json | jq .wait
  $ callfeed call 12345678901234567890 --as-sent --json | jq '.asSent | fromjson'

It says what became of a missed call: since when it is open, or which call ended the wait, and the caller's other attempts; and of the call that
ended a wait, which one that was. For that it reads the account's calls of the 28 hours before it and of the 24 after it, 1,000 a request. Where these
are more than 10,000, it reads the caller's calls with a usual spelling of the number, and says so. With --as-sent it reads the call alone.`,
  run: async (context, options, callId) => {
    const { terminal } = context;
    const { account, client } = await reader(context, options);
    const found = await client.call(callId);
    if (found === undefined) throw noSuchCall(account, callId);

    if (options.asSent) return printAsSent(terminal, found, options.json);
    const visible = options.showPersonal ? found : redacted(PrintableCall, found);
    const wait = found.call && waitAnswer(await client.callWait(found.call));
    if (options.json) return terminal.print(printableJson({ account, callId, ...visible, wait }));
    printDetails(terminal, visible);
    if (wait !== undefined)
      for (const sentence of waitSentences(wait, found.call?.timeZone ?? 'UTC')) terminal.print(sentence);
    if (!hasRecording(found)) terminal.print(noRecording);
  },
});

export const noSuchCall = (account: string, callId: string): Problem =>
  new Problem(
    `${printable(account)} has no call ${printable(callId)}. Are the account and the call spelt as in the secret and in “callfeed calls”?`,
  );

/** `differences` has the names of the row's own fields, and is personal where they are. */
const deliveriesOf = (facts: z.core.$ZodObject) =>
  z.array(z.object({ ...StoredDelivery.shape, differences: z.optional(facts) }));

/** All about a call, declared so that redaction also finds the personal fields within deliveries. */
const PrintableCall = z.object({
  call: z.object({ ...Call.shape, deliveries: deliveriesOf(Call) }).optional(),
  participants: z.array(z.object({ ...CallParticipant.shape, deliveries: deliveriesOf(CallParticipant) })),
});

/** A row has the recordings of all its deliveries, so one without any had none in any of them. */
export const hasRecording = ({ call, participants }: CallDetails): boolean =>
  [call ?? {}, ...(call?.legs ?? []), ...participants].some(
    (part) => 'recordings' in part || 'conferenceRecordings' in part,
  );

export const noRecording = 'No delivery has a recording. What to do: docs/runbook.md#a-call-has-no-recording';

const printAsSent = ({ print }: Terminal, { call, participants }: CallDetails, isJson: boolean): void => {
  for (const row of [...(call === undefined ? [] : [call]), ...participants]) {
    const of = { participantId: 'participantId' in row ? row.participantId : undefined };
    const participant = of.participantId === undefined ? '' : `  participant ${of.participantId}`;
    for (const { receivedAt, source, asSent } of row.deliveries) {
      const text = decompressText(asSent);
      if (isJson) print(printableJson({ ...of, receivedAt, source, asSent: text }));
      else print(`${receivedAt}${participant}${originOf(source)}\n${printable(text)}`);
    }
  }
};

const printDetails = (terminal: Terminal, { call, participants }: CallDetails): void => {
  if (call !== undefined) {
    const { legs = [], ...row } = call;
    printRow(terminal, 'Call', row);
    for (const leg of legs) {
      terminal.print(styled(terminal, 'bold', printable(`Leg ${leg.ucid}`)));
      for (const line of [...factLines(leg), '']) terminal.print(line);
    }
  }
  for (const { participantId, ...row } of participants) printRow(terminal, `Participant ${participantId}`, row);
};

interface NamedCall {
  readonly callId: string;
  readonly listedAt?: string | undefined;
}

/** What became of a call in sentences, for a terminal; none for a call that was neither missed nor ended a wait. */
const waitSentences = ({ missed, ended, isComplete }: WaitAnswer, timeZone: string): readonly string[] => {
  const textOf = ({ callId, listedAt }: NamedCall) =>
    `call ${printable(callId)}${listedAt === undefined ? '' : ` at ${localText(listedAt, timeZone)}`}`;
  const sentences = [
    ...(missed === undefined ? [] : [missedSentence(missed, textOf, timeZone)]),
    ...(missed === undefined || missed.attempts.length === 0
      ? []
      : [`Other attempts of the caller: ${missed.attempts.map(textOf).join(', ')}.`]),
    ...ended.map(
      (one) =>
        `Ended the wait of ${textOf(one)}, ${durationText(one.afterSeconds)} later: ${missedStates[one.state].text}.`,
    ),
  ];
  return sentences.length > 0 && !isComplete ? [...sentences, partlyLookedText] : sentences;
};

const missedSentence = (
  { state, since, openSeconds, endedBy }: NonNullable<WaitAnswer['missed']>,
  textOf: (call: NamedCall) => string,
  timeZone: string,
): string => {
  const { text, meaning } = missedStates[state];
  if (openSeconds !== undefined)
    return `Missed, and open since ${localText(since, timeZone)}, for ${durationText(openSeconds)}: ${meaning}.`;
  return endedBy === undefined
    ? `Missed, ${text}: ${meaning}.`
    : `Missed, and ${text} after ${durationText(endedBy.afterSeconds)}: ${textOf(endedBy)}.`;
};

const originOf = (source: StoredDelivery['source']): string => (source === undefined ? '' : '  from the call report');

const printRow = (
  terminal: Terminal,
  title: string,
  { account, callId, revision, deliveries, ...facts }: Omit<Call, 'legs'> | Omit<CallParticipant, 'participantId'>,
): void => {
  const { print } = terminal;
  const ofCall = title === 'Call' ? callId : `of call ${callId}`;
  print(styled(terminal, 'bold', printable(`${title} ${ofCall} of ${account}, revision ${revision}`)));
  for (const line of factLines(facts)) print(line);
  print(`  ${counted(deliveries.length, 'delivery', 'deliveries')}:`);
  for (const { receivedAt, source, differences } of deliveries)
    print(`    ${receivedAt}  ${source === undefined ? '' : 'from the call report; '}${differenceText(differences)}`);
  print('');
};

const indent = 2;

const factLines = (record: object): readonly string[] => {
  const facts = Object.entries(record).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...facts.map(([name]) => name.length));
  return facts.map(
    ([name, value]) => `${' '.repeat(indent)}${printable(name).padEnd(width + indent)}${factText(value)}`,
  );
};

const factText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(factText).join(', ');
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

/** A null means that the delivery did not have the field. */
const differenceText = (differences: Readonly<Record<string, unknown>> = {}): string => {
  const names = Object.keys(differences).toSorted();
  const absent = names.filter((name) => differences[name] === null);
  const parts = names.filter((name) => !absent.includes(name)).map((name) => `${name}: ${factText(differences[name])}`);
  if (absent.length > 0) parts.push(`without ${absent.join(', ')}`);
  return parts.length === 0 ? 'same as the row' : printable(parts.join('; '));
};
