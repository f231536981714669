import { pick, type Random } from '../random.ts';
import type { Campaign, Engagement } from './floor.ts';

/** A call from its first ring to its wrap-up. Instants in milliseconds since the epoch, always whole seconds. */
export interface Call {
  /** The service's id, 14 to 20 digits. */
  readonly id: string;
  /** The id of the leg: that of the call, unless this is its second leg. */
  readonly legId: string;
  /** The id of the dialled list's entry. */
  readonly entryId: string;
  readonly scenario: Scenario;
  readonly type: string;
  readonly customer: string;
  readonly campaign: Campaign;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly ringSeconds: number;
  readonly talkSeconds: number;
  readonly holdSeconds: number;
  readonly wrapUpSeconds: number;
  readonly conferenceSeconds: number;
  /** In the order in which the agents took part. */
  readonly engagements: readonly Engagement[];
  /** Statuses and texts from the telephone network, the agents and the caller. */
  readonly words: CallWords;
  readonly transferredTo: string;
  /** Text that travels with the call; a skill transfer is linked by it. */
  readonly userText: string;
}

/** The texts of a call. `disposition` and `comments` are empty if no agent wrote any. */
export interface CallWords {
  readonly agentStatus: string;
  readonly customerStatus: string;
  readonly dialStatus: string;
  readonly hangupBy: string;
  readonly fallBackRule: string;
  readonly disposition: string;
  readonly comments: string;
}

/** The course of a call. */
export interface Scenario {
  readonly name: string;
  /** Its share of the calls, 0 to 1. */
  readonly probability: number;
  /** Call types in the specification's spelling. */
  readonly types: readonly string[];
  readonly answered: boolean;
  readonly recorded: boolean;
  /** The least and the largest number of agents. */
  readonly agents: readonly [number, number];
  readonly transfer?: 'Agent' | 'Skill' | 'Phone Number';
  readonly conference?: true;
}

const inbound = ['Inbound'] as const;
const outbound = ['Manual', 'Progressive', 'Preview', 'Predictive'] as const;

/** The caller gave up waiting. This is also the scenario of a call for which no agent is free. */
export const abandoned = {
  name: 'abandoned',
  probability: 0.06,
  types: inbound,
  answered: false,
  recorded: false,
  agents: [0, 0],
} as const satisfies Scenario;

/** The ordinary call. A quirk that is requested by name is shown on it. */
export const answered = {
  name: 'answered',
  probability: 0.44,
  types: inbound,
  answered: true,
  recorded: true,
  agents: [1, 1],
} as const satisfies Scenario;

/** All scenarios; the probabilities add up to 1. */
export const scenarios = [
  answered,
  abandoned,
  { ...answered, name: 'outbound', probability: 0.16, types: outbound },
  { ...answered, name: 'not-answered', probability: 0.1, types: outbound, answered: false, recorded: false },
  { ...abandoned, name: 'voice-mail', probability: 0.03, recorded: true },
  { ...abandoned, name: 'ivr', probability: 0.04, types: ['IVR'], answered: true },
  { ...answered, name: 'chat', probability: 0.02, types: ['Chat', 'Mail'], recorded: false },
  { ...answered, name: 'agent-transfer', probability: 0.06, agents: [2, 3], transfer: 'Agent' },
  { ...answered, name: 'skill-transfer', probability: 0.04, transfer: 'Skill' },
  { ...answered, name: 'phone-transfer', probability: 0.02, transfer: 'Phone Number' },
  { ...answered, name: 'conference', probability: 0.03, conference: true },
] as const satisfies readonly Scenario[];

const dispositions = ['Sale', 'Call back later', 'Resolved', 'Complaint', 'Wrong number', 'Not interested'] as const;

const comments = [
  '',
  '',
  'Wants 2 + 1 & a receipt (50 % off = fine)',
  'Said "maybe"; ask again on Monday',
  'Two lines:\nboth matter',
  'Très satisfaite, merci ✓',
] as const;

const unreachedStatuses = [
  'InvalidNumber',
  'Congestion',
  'not_answered',
  'NoRouteDestination',
  'Dialing',
  'NoResponse',
  'ISDDisabled',
  'ring',
  'exception',
  'SubcriberAbsent',
  'InvalidNumberFormat',
  'Busy',
] as const;

const fallBackRules = [
  'AgentDial',
  'AgentDial -> VoiceMail',
  'AgentDial -> QTimeExceeded{60} -> VoiceMail',
  'AgentDial -> SkillTransfer -> Disconnect',
] as const;

/** Draws the texts of a call. Statuses come from the specification only; unknown values are a quirk. */
export const drawCallWords = (random: Random, scenario: Scenario): CallWords => {
  const fallBackRule = pick(random, fallBackRules);
  if (scenario.agents[1] === 0) return { ...withoutAgent(random, scenario), fallBackRule };

  const byAgent = { disposition: pick(random, dispositions), comments: pick(random, comments), fallBackRule };
  if (scenario.answered)
    return { ...byAgent, ...reachedStatuses, hangupBy: pick(random, ['UserHangup', 'AgentHangup']) };

  return {
    ...byAgent,
    agentStatus: 'answered',
    customerStatus: pick(random, unreachedStatuses),
    dialStatus: pick(random, ['not_answered', 'ring', 'invalid_number', 'exception']),
    hangupBy: 'SystemHangup',
  };
};

const reachedStatuses = { agentStatus: 'answered', customerStatus: 'answered', dialStatus: 'answered' } as const;

const withoutAgent = (random: Random, scenario: Scenario) => ({
  agentStatus: scenario.answered ? 'NotDialed' : pick(random, ['NotDialed', 'not_answered', 'user_disconnected']),
  customerStatus: 'answered',
  dialStatus: scenario.answered ? 'answered' : 'not_answered',
  hangupBy: pick(random, ['UserHangup', 'SystemHangup']),
  disposition: '',
  comments: '',
});
