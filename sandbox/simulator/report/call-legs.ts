import type { Call } from '../floor/call.ts';
import type { Agent, Engagement } from '../floor/floor.ts';
import { legIdAt } from '../posts/shapes.ts';
import { chance, pick, randomOf } from '../random.ts';
import type { ToldCall } from '../simulated-call.ts';

/**
 * The legs of a call as the call report lists them, each with at most one agent: one for each agent who took part, and
 * sometimes one before it for an agent who did not pick up. Legs that the callbacks name have the same ids here.
 */
export const legsOf = ({ call, namedLegs }: ToldCall, staff: readonly Agent[]): readonly Call[] => {
  if (call.engagements.length > 1)
    return call.engagements.map((engagement, index) => agentLeg(call, engagement, index));
  if (namedLegs.length > 1) return namedLegs;
  const missed = missedLeg(call, staff);
  return missed === undefined ? [call] : [missed, call];
};

/** The part of one agent. Only the last one disposes of the call, and the others were not transferred to. */
const agentLeg = (call: Call, engagement: Engagement, index: number): Call => {
  const { ringsAt, talksAt, leavesAt } = engagement;
  const leg = {
    ...call,
    legId: legIdAt(call, index),
    startedAt: ringsAt,
    endedAt: leavesAt,
    ringSeconds: (talksAt - ringsAt) / 1000,
    talkSeconds: (leavesAt - talksAt) / 1000,
    engagements: [engagement],
  };
  if (index === call.engagements.length - 1) return leg;
  return { ...leg, holdSeconds: 0, transferredTo: '', words: { ...call.words, disposition: '', comments: '' } };
};

/** The share of answered inbound calls that rang at another agent first. */
const missedShare = 0.15;

/** The leg of an agent who let an answered inbound call ring. Its callbacks do not tell of it. */
const missedLeg = (call: Call, staff: readonly Agent[]): Call | undefined => {
  const random = randomOf(call.id, 1);
  const [engagement] = call.engagements;
  const others = staff.filter(({ id, skills }) => id !== engagement?.agent.id && skills.includes(call.campaign.skill));
  const isMissed = call.type === 'Inbound' && call.scenario.answered && chance(random, missedShare);
  if (!isMissed || engagement === undefined || others.length === 0) return undefined;

  return {
    ...call,
    legId: legIdAt(call, 1),
    endedAt: engagement.talksAt,
    talkSeconds: 0,
    holdSeconds: 0,
    wrapUpSeconds: 0,
    conferenceSeconds: 0,
    engagements: [{ ...engagement, agent: pick(random, others), leavesAt: engagement.talksAt }],
    scenario: { name: call.scenario.name, probability: 0, types: [], agents: [1, 1], answered: false, recorded: false },
    transferredTo: '',
    words: {
      ...call.words,
      agentStatus: 'not_answered',
      dialStatus: 'not_answered',
      disposition: '',
      comments: '',
    },
  };
};
