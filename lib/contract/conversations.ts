import { patternTest } from '../core/patterns.ts';
import type { CallSummary } from './call-events.ts';

/**
 * The calls in which a customer spoke with a person, as far as a list of calls shows it: a menu, a mail and a chat answer no call.
 * As in `inboundCalls`, a call without a type is one of a customer, and an unknown word fits no rule.
 */
const conversations = {
  status: ['answered'],
  type: ['inbound', 'manual', 'preview', 'progressive', 'predictive', { exists: false }],
} as const;

export const isConversation = patternTest(conversations);

/** Whether agents or a dialler made the call: `spokeWithCustomer` tells of its row whether it was a conversation. */
export const isOutgoing = patternTest({ type: ['manual', 'preview', 'progressive', 'predictive'] });

const isByDialler = patternTest({ type: ['progressive', 'predictive'] });

type Sides = Pick<CallSummary, 'status' | 'agentIds' | 'agentStatuses' | 'customerStatuses'>;

/** What decides whether agent and customer spoke: the row of a call has it, and an entry of a list lacks most of it. */
export interface CallSides extends Sides, Pick<CallSummary, 'type'> {
  readonly legs?: readonly Sides[] | undefined;
}

type Outcome = NonNullable<Sides['customerStatuses']>[number];

/** These words do not say that a side was absent: whoever hung up was there, and an unknown word may mean anything. */
const mayBeThere = ['answered', 'success', 'normal-unspecified', 'unknown'] as const;
const customerMayBeThere: ReadonlySet<Outcome> = new Set([...mayBeThere, 'user-disconnected']);
const agentMayBeThere: ReadonlySet<Outcome> = new Set([...mayBeThere, 'agent-disconnected']);

/**
 * Whether agent and customer spoke in an outgoing call with the status `answered`. It has that status too where the customer did not
 * answer or was busy, and where no agent had the call. What a row does not say is taken as spoken. Of several legs one suffices.
 */
export const spokeWithCustomer = ({ type, legs = [], ...call }: CallSides): boolean =>
  [call, ...legs.filter(({ status }) => status === 'answered')].some(
    (part) => hadCustomer(part) && hadAgent(part, isByDialler({ type })),
  );

const hadCustomer = ({ customerStatuses = ['unknown'] }: Sides): boolean =>
  customerStatuses.some((word) => customerMayBeThere.has(word));

/** A dialler calls without an agent, and then names none. */
const hadAgent = ({ agentStatuses, agentIds }: Sides, isByDialler: boolean): boolean =>
  agentStatuses === undefined
    ? agentIds !== undefined || !isByDialler
    : agentStatuses.some((word) => agentMayBeThere.has(word));
