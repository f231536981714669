import { pick, type Random } from '../random.ts';
import type { Words } from './call.ts';
import type { Scenario } from './scenarios.ts';

const dispositions = ['Sale', 'Call back later', 'Resolved', 'Complaint', 'Wrong number', 'Not interested'] as const;

const comments = [
  '',
  '',
  'Wants 2 + 1 & a receipt (50 % off = fine)',
  'Said "maybe"; ask again on Monday',
  'Two lines:\nboth matter',
  'Très satisfaite, merci ✓',
] as const;

const unreached = [
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

/** What is said about a call of a scenario, in the words of the specification only: new words are a quirk. */
export const wordsOf = (random: Random, scenario: Scenario): Words => {
  const fallBackRule = pick(random, fallBackRules);
  if (scenario.agents[1] === 0) return { ...withoutAgent(random, scenario), fallBackRule };

  const byAgent = { disposition: pick(random, dispositions), comments: pick(random, comments), fallBackRule };
  if (scenario.answered) return { ...byAgent, ...reached, hangupBy: pick(random, ['UserHangup', 'AgentHangup']) };

  return {
    ...byAgent,
    agentStatus: 'answered',
    customerStatus: pick(random, unreached),
    dialStatus: pick(random, ['not_answered', 'ring', 'invalid_number', 'exception']),
    hangupBy: 'SystemHangup',
  };
};

const reached = { agentStatus: 'answered', customerStatus: 'answered', dialStatus: 'answered' } as const;

const withoutAgent = (random: Random, scenario: Scenario) => ({
  agentStatus: scenario.answered ? 'NotDialed' : pick(random, ['NotDialed', 'not_answered', 'user_disconnected']),
  customerStatus: 'answered',
  dialStatus: scenario.answered ? 'answered' : 'not_answered',
  hangupBy: pick(random, ['UserHangup', 'SystemHangup']),
  disposition: '',
  comments: '',
});
