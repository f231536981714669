import { between, chance, digitsOf, pick, type Random, shuffled } from '../random.ts';
import { type Call, drawCallWords, type Scenario } from './call.ts';
import { type Agent, type Campaign, customerNumber, type Engagement, type Floor, freeAgents, skills } from './floor.ts';

/** The call to place. */
export interface CallOrder {
  /** Digits. */
  readonly id: string;
  readonly scenario: Scenario;
  /** When the summary is due, in milliseconds: after the wrap-up, or before it if `wrapsUpLater`. */
  readonly postedAt: number;
  readonly wrapsUpLater: boolean;
  /** The call whose transfer to a skill this one continues. `postedAt` is then not used. */
  readonly follows?: Call | undefined;
}

/** The longest time from the first ring to the end of the wrap-up, in milliseconds. */
export const longestCallMilliseconds = 200_000;

/** A call on this floor, or undefined if too few agents are free. */
export const placeCall = (random: Random, floor: Floor, order: CallOrder): Call | undefined => {
  const { id, scenario, follows } = order;
  const lengths = lengthsOf(random, order);
  const callMilliseconds = (lengths.ringSeconds + lengths.talkSeconds) * 1000;
  const endedAt = follows ? follows.endedAt + callMilliseconds : endBefore(order, lengths.wrapUpSeconds);
  const startedAt = endedAt - callMilliseconds;

  const campaign = pick(random, campaignsFor(floor, follows));
  const free = freeAgents(floor, campaign.skill, startedAt, endedAt + lengths.wrapUpSeconds * 1000);
  const agents = shuffled(random, free).slice(0, between(random, ...scenario.agents));
  if (agents.length < scenario.agents[0]) return undefined;

  return {
    id,
    legId: id,
    entryId: digitsOf(random, 9),
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

const campaignsFor = (floor: Floor, follows: Call | undefined): readonly Campaign[] =>
  follows ? floor.campaigns.filter(({ skill }) => skill === follows.transferredTo) : floor.campaigns;

const engagementsOf = (
  callId: string,
  agents: readonly Agent[],
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

const targetOf = (random: Random, scenario: Scenario, campaign: Campaign, agents: readonly Agent[]): string => {
  if (scenario.transfer === 'Agent') return agents.at(-1)?.name ?? '';
  if (scenario.transfer === 'Phone Number') return customerNumber(random);
  if (scenario.transfer !== 'Skill') return '';
  return pick(
    random,
    skills.filter((skill) => skill !== campaign.skill),
  );
};
