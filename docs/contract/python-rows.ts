import type * as z from 'zod';
import { CallFacts, CallLeg } from '../../lib/calls/schema.ts';
import { CallSummary, CallSummaryRecorded, CallSummaryRevised, Participant } from '../../lib/contract/call-events.ts';
import { openJsonSchema } from '../../lib/contract/events.ts';
import { WaitingCaller } from '../../lib/contract/missed-callers.ts';
import * as rows from '../../lib/contract/rows.ts';
import { missedStates } from '../../lib/contract/rules.ts';
import { loggedInStates, loggedOut, outcomes } from '../../lib/telephony/vocabularies.ts';

/** What of a JSON Schema says which type a value has in Python. */
interface JsonSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

interface Kind {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  readonly about: string;
  /** The kind of which it has all fields too. */
  readonly base?: string;
}

/** What Python reads. A kind comes after those that it names. */
const kinds: readonly Kind[] = [
  { name: 'CallFacts', schema: CallFacts, about: 'What was sent about a call, or about a leg of it.' },
  {
    name: 'CallLeg',
    schema: CallLeg,
    about: 'One leg of a call that has several: it has a `ucid`.',
    base: 'CallFacts',
  },
  { name: 'CallSummary', schema: CallSummary, about: 'The call of an event.', base: 'CallFacts' },
  { name: 'CallEvent', schema: CallSummaryRevised, about: 'The `detail` of an event about a call.' },
  { name: 'StoredDelivery', schema: rows.StoredDelivery, about: 'A distinct delivery about a call or participant.' },
  { name: 'Call', schema: rows.Call, about: 'The row of a call.', base: 'CallSummary' },
  { name: 'ListedCall', schema: rows.ListedCall, about: 'A call in a list: some of the fields of its row.' },
  { name: 'Participant', schema: Participant, about: 'What was sent about a participant in a call.' },
  { name: 'CallParticipant', schema: rows.CallParticipant, about: 'The row of a participant.', base: 'Participant' },
  { name: 'AgentNow', schema: rows.AgentNow, about: 'The row of an agent who is logged in, as of the feed’s `asOf`.' },
  { name: 'FeedNow', schema: rows.FeedNow, about: 'The row of the feed: how old the rows of agents are.' },
  { name: 'WaitingCaller', schema: WaitingCaller, about: 'Somebody who called in vain and still waits.' },
];

/** The vocabularies with a name of their own. A shorter one stands where it is used. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
  Outcome: [...outcomes.words, 'unknown'],
  AgentState: [...loggedInStates, loggedOut],
  MissedState: Object.keys(missedStates),
};

const text = (value: unknown): string => JSON.stringify(value);
const literal = (words: readonly unknown[]): string => `Literal[${words.map(text).join(', ')}]`;
const longLiteral = (words: readonly unknown[]): string =>
  `Literal[\n${words.map((word) => `    ${text(word)},\n`).join('')}]`;

const schemaOf = (schema: z.core.$ZodType) => openJsonSchema(schema, 'draft-2020-12') as JsonSchema;
const titles = new Map(kinds.map(({ name, schema }) => [schemaOf(schema).title, name]));

const plainTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'dict[str, Any]',
};

const typeOf = ({ type = '', title, items, enum: words, const: only }: JsonSchema): string => {
  if (only !== undefined) return literal([only]);
  if (words !== undefined)
    return Object.entries(vocabularies).find(([, known]) => text(known) === text(words))?.[0] ?? literal(words);
  if (type === 'array') return `list[${typeOf(items ?? {})}]`;
  return titles.get(title) ?? plainTypes[type] ?? 'Any';
};

/** In the first event of a call, these are absent. */
const absentAtFirst = Object.keys(CallSummaryRevised.shape).filter((name) => !(name in CallSummaryRecorded.shape));

const kindText = ({ name, schema, about, base }: Kind): string => {
  const { properties = {}, required = [] } = schemaOf(schema);
  const inherited = kinds.find((kind) => kind.name === base);
  const others = inherited === undefined ? [] : Object.keys(schemaOf(inherited.schema).properties ?? {});
  const fields = Object.entries(properties)
    .filter(([field]) => !others.includes(field))
    .map(([field, value]) => {
      const isSure = required.includes(field) && !absentAtFirst.includes(field);
      const type = isSure ? typeOf(value) : `NotRequired[${typeOf(value)}]`;
      const lines = [`${field}: ${type}`, ...(value.description === undefined ? [] : [`"""${value.description}"""`])];
      return lines.map((line) => `    ${line}\n`).join('');
    });
  return [`class ${name}(${base ?? 'TypedDict'}):\n    """${about}"""\n`, fields.join('')].filter(Boolean).join('\n');
};

/**
 * The rows and events that Python reads, as types. What a field's name ends with is its unit: `Seconds`, and `At` for an instant
 * in UTC, an ISO text with milliseconds.
 */
export const pythonRows = (): string =>
  [
    `"""Rows and events of calls and agents, as the contract has them: docs/contract.md. Written by \`npm run contract\`.

A name that ends in \`Seconds\` has seconds. One that ends in \`At\`, \`Of\` or \`Since\` has an instant in UTC, as an ISO text with
milliseconds, so that the order of texts is that of time. Ids are texts: one of a call has more digits than a float holds.
A later version may add fields, and words.
"""

from typing import Any, Literal, NotRequired, TypedDict
`,
    Object.entries(vocabularies)
      .map(([name, words]) => `${name} = ${longLiteral(words)}`)
      .join('\n'),
    ...kinds.map((kind) => `\n${kindText(kind)}`),
  ].join('\n');
