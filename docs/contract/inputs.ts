import * as z from 'zod';
import { agentFields } from '../../lib/agents/normalise-agent.ts';
import { AgentFacts } from '../../lib/agents/schema.ts';
import { CallFacts, ParticipantFacts } from '../../lib/calls/schema.ts';
import { CallSummaryRevised } from '../../lib/contract/call-events.ts';
import { mapValues, withoutUndefined } from '../../lib/core/collections.ts';
import { callFields, participantFields } from '../../lib/telephony/call-fields.ts';
import type { Vocabulary } from '../../lib/telephony/vocabularies.ts';

/** The service sends any field as text or as a number, or null. */
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

interface Declared {
  readonly max?: number;
  readonly vocabulary?: Vocabulary<string>;
  readonly isList?: true;
}

/**
 * A field of the service, with the meaning of the first fact that comes from it. `becomes` lists all of these facts, and
 * `examples` the words that have a word of ours. A text that is longer than documented is stored in full, and noted.
 */
const inputField = (name: string, { max, vocabulary, isList }: Declared, facts: z.core.$ZodShape) => {
  const described = Object.entries(facts).map(([fact, schema]) => ({ fact, meta: z.globalRegistry.get(schema) }));
  const becomes = described.filter(({ meta }) => meta?.['origin'] === name);
  const { description, personal } = becomes[0]?.meta ?? {
    description: 'Decides the account. It is not stored with the call.',
  };
  const meta = {
    description,
    becomes: becomes.map(({ fact }) => fact),
    personal,
    documentedMaxLength: max,
    examples: vocabulary && Object.values(vocabulary.spellings).flat(),
  };
  return (isList ? z.union([scalar, z.array(scalar)]) : scalar).optional().meta(withoutUndefined(meta));
};

/** A record of the service: any field may be missing, and others may be added. */
const inputRecord = (
  fields: Readonly<Record<string, Declared>>,
  facts: z.core.$ZodShape,
  about: { readonly title: string; readonly description: string; readonly id?: string },
) => z.looseObject(mapValues(fields, (declared, name) => inputField(name, declared, facts))).meta(about);

/** A call summary as the service may post it. */
export const CallSummaryInput = inputRecord(
  callFields,
  { ...CallFacts.shape, callId: CallSummaryRevised.shape.callId },
  {
    title: 'Call summary as sent',
    description:
      'No field is required by itself: docs/incoming.md has what makes an object a call summary. The letter case of names ' +
      'makes no difference.',
  },
);

/** A participant of a call (AdvancedCallBacks) as the service may post it, in one list with call summaries. */
export const ParticipantInput = inputRecord(participantFields, ParticipantFacts.shape, {
  title: 'Participant as sent',
  description: 'No field is required by itself. The letter case of names makes no difference.',
});

/** An agent in an answer of getAgentLogins. */
export const AgentInput = inputRecord(agentFields, AgentFacts.shape, {
  title: 'Agent as sent',
  // With an id, the JSON Schema has the agent once and refers to it.
  id: 'Agent',
  description: 'A record without an id or a state changes no agent. The letter case of names makes no difference.',
});

const agents = z.union([z.array(AgentInput), AgentInput]);

/** An answer of getAgentLogins that lists agents or says that there are none. Any other answer is a failed poll. */
export const AgentLoginsInput = z
  .looseObject({
    status: scalar
      .optional()
      .meta({ description: 'The word success. With error, false or fail, it is a failed poll.' }),
    message: z.union([agents, z.string()]).optional().meta({
      description:
        'The agents: a list, one agent, or an object with either. A text is an error, but for success and No Data Found.',
    }),
    details: agents.optional().meta({ description: 'The agents, where message is a text.' }),
  })
  .meta({
    title: 'Agent logins as sent',
    description: 'docs/incoming.md has what follows from each answer.',
  });
