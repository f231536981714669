import {
  type Campaign,
  customerNumber,
  type Engagement,
  idleAgents,
  type SimulatedAgent,
  type SimulatedCentre,
  skills,
} from './centre.ts';
import { between, type Choosable, chance, pick, type Random, randomDigits, shuffled } from './random.ts';

/** A call from its first ring to its wrap-up. Instants in milliseconds since the epoch, always whole seconds. */
export interface PlannedCall {
  readonly id: string;
  /** The id of the leg: that of the call, unless this is its second leg. */
  readonly legId: string;
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
  readonly engagements: readonly Engagement[];
  readonly words: CallWords;
  readonly transferredTo: string;
  /** Text that travels with the call; a skill transfer is linked by it. */
  readonly userText: string;
}

type Words = 'agentStatus' | 'customerStatus' | 'dialStatus' | 'hangupBy' | 'fallBackRule' | 'disposition' | 'comments';
export type CallWords = Readonly<Record<Words, string>>;

export interface Scenario extends Choosable {
  readonly types: readonly string[];
  readonly answered: boolean;
  readonly recorded: boolean;
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
  ...['InvalidNumber', 'Congestion', 'not_answered', 'NoRouteDestination', 'Dialing', 'NoResponse', 'ISDDisabled'],
  ...['ring', 'exception', 'SubcriberAbsent', 'InvalidNumberFormat', 'Busy'],
];

const fallBackRules = [
  'AgentDial',
  'AgentDial -> VoiceMail',
  'AgentDial -> QTimeExceeded{60} -> VoiceMail',
  'AgentDial -> SkillTransfer -> Disconnect',
] as const;

/** Statuses come from the specification only; unknown values are a quirk. */
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

export interface CallOrder {
  readonly id: string;
  readonly scenario: Scenario;
  /** When the summary is due, in milliseconds: after the wrap-up, or before it if `wrapsUpLater`. */
  readonly postedAt: number;
  readonly wrapsUpLater: boolean;
  /** The call whose transfer to a skill this one continues. `postedAt` is then not used. */
  readonly follows?: PlannedCall | undefined;
}

/** The longest time from the first ring to the end of the wrap-up, in milliseconds. */
export const longestCallMilliseconds = 200_000;

export const placeCall = (random: Random, centre: SimulatedCentre, order: CallOrder): PlannedCall | undefined => {
  const { id, scenario, follows } = order;
  const lengths = lengthsOf(random, order);
  const callMilliseconds = (lengths.ringSeconds + lengths.talkSeconds) * 1000;
  const endedAt = follows ? follows.endedAt + callMilliseconds : endBefore(order, lengths.wrapUpSeconds);
  const startedAt = endedAt - callMilliseconds;

  const campaign = pick(random, campaignsFor(centre, follows));
  const free = idleAgents(centre, campaign.skill, startedAt, endedAt + lengths.wrapUpSeconds * 1000);
  const agents = shuffled(random, free).slice(0, between(random, ...scenario.agents));
  if (agents.length < scenario.agents[0]) return undefined;

  return {
    id,
    legId: id,
    entryId: randomDigits(random, 9),
    scenario,
    type: pick(random, scenario.types),
    customer: follows?.customer ?? customerNumber(random),
    campaign,
    startedAt,
    endedAt,
    ...lengths,
    engagements: engagementsOf(id, agents, { ...lengths, startedAt }),
    words: drawCallWords(random, scenario),
    transferredTo: targetOf(random, scenario, campaign, agents),
    userText: follows ? `SkillTransfer-${follows.id}~${follows.engagements[0]?.agent.id ?? ''}` : '',
  };
};

const endBefore = ({ postedAt, wrapsUpLater }: CallOrder, wrapUpSeconds: number): number =>
  Math.floor(postedAt / 1000) * 1000 - (wrapsUpLater ? 0 : wrapUpSeconds * 1000);

const lengthsOf = (random: Random, { scenario, wrapsUpLater }: CallOrder) => {
  const talkSeconds = scenario.answered ? between(random, 20, 120) : 0;
  const wrapUpSeconds = wrapsUpLater ? between(random, 20, 40) : between(random, 5, 20);

  return {
    ringSeconds: between(random, 2, 25),
    talkSeconds,
    holdSeconds: chance(random, 0.2) ? Math.floor(talkSeconds / 5) : 0,
    wrapUpSeconds: scenario.agents[1] === 0 ? 0 : wrapUpSeconds,
    conferenceSeconds: scenario.conference ? Math.floor(talkSeconds / 3) : 0,
  };
};

const campaignsFor = (centre: SimulatedCentre, follows: PlannedCall | undefined): readonly Campaign[] =>
  follows ? centre.campaigns.filter(({ skill }) => skill === follows.transferredTo) : centre.campaigns;

const engagementsOf = (
  callId: string,
  agents: readonly SimulatedAgent[],
  call: { startedAt: number; ringSeconds: number; talkSeconds: number; wrapUpSeconds: number },
): readonly Engagement[] => {
  const answeredAt = call.startedAt + call.ringSeconds * 1000;
  const share = Math.floor(call.talkSeconds / Math.max(1, agents.length)) * 1000;
  const endedAt = answeredAt + call.talkSeconds * 1000;

  return agents.map((agent, index) => {
    const talksAt = answeredAt + index * share;
    const leavesAt = index === agents.length - 1 ? endedAt : talksAt + share;
    const ringsAt = index === 0 ? call.startedAt : talksAt;
    return { agent, callId, ringsAt, talksAt, leavesAt, readyAt: leavesAt + call.wrapUpSeconds * 1000 };
  });
};

const targetOf = (
  random: Random,
  scenario: Scenario,
  campaign: Campaign,
  agents: readonly SimulatedAgent[],
): string => {
  if (scenario.transfer === 'Agent') return agents.at(-1)?.name ?? '';
  if (scenario.transfer === 'Phone Number') return customerNumber(random);
  if (scenario.transfer !== 'Skill') return '';
  return pick(
    random,
    skills.filter((skill) => skill !== campaign.skill),
  );
};
