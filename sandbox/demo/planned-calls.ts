import { abandoned, answered, drawCallWords, type PlannedCall, type Scenario, scenarios } from '../simulator/call.ts';
import type { Campaign, SimulatedAgent } from '../simulator/centre.ts';
import { between, chance, type Random, randomDigits } from '../simulator/random.ts';
import type { Arrival } from './callers.ts';
import { understaffed } from './centre.ts';
import { engagementsOf } from './desk.ts';

const second = 1000;

export const lengthOf = (random: Random, least: number, mean: number, most: number): number =>
  Math.min(most, Math.round(least - (mean - least) * Math.log(1 - random())));

export const scenarioNamed = (name: (typeof scenarios)[number]['name']): Scenario =>
  scenarios.find((one) => one.name === name) ?? answered;

/** The skill to which a call of a campaign is transferred. */
export const targetOf = ({ skill }: Campaign): string => (skill === understaffed ? 'Support' : understaffed);

interface Answered {
  readonly waiting: Arrival;
  readonly scenario: Scenario;
  readonly agents: readonly SimulatedAgent[];
  readonly at: number;
}

export const inboundCall = (random: Random, { waiting, scenario, agents, at }: Answered): PlannedCall => {
  const { since, campaign, customer, follows } = waiting;
  const id = callIdOf(random);
  const ringing = between(random, 3, 9);
  const talkSeconds =
    lengthOf(random, 40, campaign.skill === understaffed ? 380 : 230, 1_200) * (agents.length > 2 ? 2 : 1);
  const wrapUpSeconds = lengthOf(random, 8, 45, 170);
  const engagements = engagementsOf(id, agents, { ringsAt: at, ringSeconds: ringing, talkSeconds, wrapUpSeconds });
  return {
    ...fixedFields(random, { id, scenario, campaign, customer }),
    type: 'Inbound',
    startedAt: since,
    endedAt: at + (ringing + talkSeconds) * second,
    ringSeconds: (at - since) / second + ringing,
    talkSeconds,
    holdSeconds: chance(random, 0.2) ? Math.floor(talkSeconds / 6) : 0,
    wrapUpSeconds,
    conferenceSeconds: scenario.conference ? Math.floor(talkSeconds / 3) : 0,
    engagements,
    transferredTo: transferOf(scenario, campaign, agents),
    userText: follows ? `SkillTransfer-${follows.id}~${follows.engagements[0]?.agent.id ?? ''}` : '',
  };
};

const transferOf = ({ transfer }: Scenario, campaign: Campaign, agents: readonly SimulatedAgent[]): string => {
  if (transfer === 'Agent') return agents.at(-1)?.name ?? '';
  return transfer === 'Skill' ? targetOf(campaign) : '';
};

export const missedCall = (
  random: Random,
  { customer, campaign, since, follows }: Arrival,
  at: number,
): PlannedCall => ({
  ...fixedFields(random, { id: callIdOf(random), scenario: abandoned, campaign, customer }),
  ...nobody,
  type: 'Inbound',
  startedAt: since,
  endedAt: at,
  ringSeconds: (at - since) / second,
  userText: follows ? `SkillTransfer-${follows.id}~${follows.engagements[0]?.agent.id ?? ''}` : '',
});

const nobody = {
  talkSeconds: 0,
  holdSeconds: 0,
  wrapUpSeconds: 0,
  conferenceSeconds: 0,
  engagements: [],
  transferredTo: '',
} as const;

interface Outgoing extends Pick<Arrival, 'customer' | 'campaign'> {
  readonly agent: SimulatedAgent;
  readonly at: number;
  readonly type: 'Manual' | 'Progressive';
  readonly isReached: boolean;
}

export const outgoingCall = (random: Random, order: Outgoing): PlannedCall => {
  const { customer, campaign, agent, at, type, isReached } = order;
  const scenario = scenarioNamed(isReached ? 'outbound' : 'not-answered');
  const id = callIdOf(random);
  const ringSeconds = isReached ? between(random, 6, 20) : between(random, 18, 32);
  const talkSeconds = isReached ? lengthOf(random, 30, type === 'Manual' ? 190 : 130, 700) : 0;
  const wrapUpSeconds = isReached ? lengthOf(random, 8, 30, 120) : between(random, 4, 12);
  const fields = fixedFields(random, { id, scenario, campaign, customer });
  const unreached = { disposition: 'Call back later', comments: '' };
  return {
    ...fields,
    words: isReached ? fields.words : { ...fields.words, ...unreached },
    ...nobody,
    type,
    startedAt: at,
    endedAt: at + (ringSeconds + talkSeconds) * second,
    ringSeconds,
    talkSeconds,
    wrapUpSeconds,
    engagements: engagementsOf(id, [agent], { ringsAt: at, ringSeconds, talkSeconds, wrapUpSeconds }),
    userText: '',
  };
};

const callIdOf = (random: Random): string => randomDigits(random, 17);

const fixedFields = (random: Random, fields: Pick<PlannedCall, 'id' | 'scenario' | 'campaign' | 'customer'>) => ({
  ...fields,
  legId: fields.id,
  entryId: randomDigits(random, 9),
  words: drawCallWords(random, fields.scenario),
});
