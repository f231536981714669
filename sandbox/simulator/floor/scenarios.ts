/** What becomes of a call. */
export interface Scenario {
  readonly name: string;
  /** Its share of the calls, 0 to 1. */
  readonly probability: number;
  /** Call types it occurs with, as the specification spells them. */
  readonly types: readonly string[];
  readonly answered: boolean;
  readonly recorded: boolean;
  /** How many agents take part, from and to. */
  readonly agents: readonly [number, number];
  readonly transfer?: 'Agent' | 'Skill' | 'Phone Number';
  readonly conference?: true;
}

const inbound = ['Inbound'] as const;
const outbound = ['Manual', 'Progressive', 'Preview', 'Predictive'] as const;

/** A caller who gave up waiting: also what becomes of a call for which no agent is free. */
export const abandoned = {
  name: 'abandoned',
  probability: 0.06,
  types: inbound,
  answered: false,
  recorded: false,
  agents: [0, 0],
} as const satisfies Scenario;

/** The ordinary call, and the one a quirk is shown on when it is asked for by name. */
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
