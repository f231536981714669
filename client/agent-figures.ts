import { handlingAgents } from '../lib/contract/rules.ts';
import { mapValues } from '../lib/core/collections.ts';
import type { SecondsByState } from './agent-days.ts';
import { type FigureDefinition, rounded } from './call-figures.ts';

/** An agent's time in each state on a day, or on several; undefined where nothing of them is stored. */
export interface AgentTime {
  readonly agentId: string;
  readonly secondsByState: SecondsByState | undefined;
  /** Of each day of which something is stored. */
  readonly secondsByDay?: Readonly<Record<string, SecondsByState>> | undefined;
}

/** A figure of agents' time; one that cannot be known has no value, and the reason. */
export type TimeFigure =
  | { readonly value: number; readonly reason?: undefined }
  | { readonly value: undefined; readonly reason: string };

/** Title, unit and definition of every figure of agents' time. */
export const agentFigureDefinitions = {
  loggedInSeconds: {
    title: 'Logged in',
    unit: 'seconds',
    definition:
      'The time in all states, from the agents’ intervals. It is as exact as the polls: up to 15 seconds for each change of state.',
  },
  handlingSeconds: {
    title: 'Handling',
    unit: 'seconds',
    definition: 'The time in calling, in a call and after-call work.',
  },
  availableSeconds: {
    title: 'Available',
    unit: 'seconds',
    definition: 'The time in ready, the only state that is free.',
  },
  occupancy: {
    title: 'Occupancy',
    unit: 'share',
    definition:
      'Handling / (handling + available), as the trade defines it. Logged-in time in other states (pause, aux, release, idle, ' +
      'busy, offline, unknown) counts on neither side.',
  },
} as const satisfies Record<string, FigureDefinition>;

export type AgentFigureName = keyof typeof agentFigureDefinitions;

export const agentColumns = ['loggedInSeconds', 'occupancy'] as const satisfies readonly AgentFigureName[];

/** The figures of some agents' time, and the seconds in each state; undefined where nothing is known. */
export interface AgentFigures extends Readonly<Record<AgentFigureName, TimeFigure>> {
  readonly secondsByState: SecondsByState | undefined;
}

const noTime = 'No interval is stored: nobody was logged in or polled, or intervals have expired.';

/** Computes the figures of one agent, or of several together. Agents without a stored interval are left out. */
export const agentFigures = (agents: readonly AgentTime[]): AgentFigures => {
  const known = agents.flatMap(({ secondsByState }) => secondsByState ?? []);
  if (known.length === 0) {
    const nothing: TimeFigure = { value: undefined, reason: noTime };
    return { ...mapValues(agentFigureDefinitions, () => nothing), secondsByState: undefined };
  }
  const seconds = known.reduce<SecondsByState>(addSeconds, {});
  const total = Object.values(seconds).reduce((sum, each) => sum + each, 0);
  const handling = handlingAgents.state.reduce((sum, state) => sum + (seconds[state] ?? 0), 0);
  const available = seconds.ready ?? 0;
  return {
    loggedInSeconds: { value: total },
    handlingSeconds: { value: handling },
    availableSeconds: { value: available },
    occupancy:
      handling + available === 0
        ? { value: undefined, reason: 'Nobody was ready or handled a call.' }
        : { value: rounded(handling / (handling + available)) },
    secondsByState: seconds,
  };
};

export const addSeconds = (one: SecondsByState, other: SecondsByState): SecondsByState => {
  const sum: Record<string, number> = { ...one };
  for (const [state, seconds] of Object.entries(other)) sum[state] = (sum[state] ?? 0) + seconds;
  return sum;
};
