import type { Call } from '../floor/call.ts';
import type { Choosable } from '../quirks/choose.ts';
import { between, type Random } from '../random.ts';

/** What the service says about a call at some moment. */
export interface Version {
  readonly afterSeconds: number;
  readonly call: Call;
}

/** A habit of telling about one call more than once, differently. */
export interface Timeline extends Choosable {
  /** Whether the first version leaves before the agent has wrapped up. */
  readonly wrapsUpLater: boolean;
  readonly versions: (random: Random, call: Call) => readonly Version[];
}

const saying = (call: Call, disposition: string): Call => ({
  ...call,
  wrapUpSeconds: 0,
  words: { ...call.words, disposition, comments: '' },
});

/** Habits of telling more than once; only calls with an agent have them. */
export const timelines = [
  {
    name: 'late-disposition',
    probability: 0.2,
    wrapsUpLater: true,
    versions: (_, call) => [
      { afterSeconds: 0, call: saying(call, '') },
      { afterSeconds: call.wrapUpSeconds, call },
    ],
  },
  {
    name: 'wrap-up-exceeded',
    probability: 0.06,
    wrapsUpLater: true,
    versions: (_, call) => [
      { afterSeconds: 0, call: saying(call, 'Wrap up time exceeded :120') },
      { afterSeconds: call.wrapUpSeconds, call },
    ],
  },
  {
    name: 'poorer-later',
    probability: 0.04,
    wrapsUpLater: false,
    versions: (random, call) => [
      { afterSeconds: 0, call },
      { afterSeconds: between(random, 5, 20), call: poorer(call) },
    ],
  },
] as const satisfies readonly Timeline[];

/** The same call as a part of the service knows it that never heard of the answer. */
const poorer = (call: Call): Call => ({
  ...saying(call, ''),
  scenario: { ...call.scenario, answered: false, recorded: false },
  words: { ...call.words, dialStatus: 'not_answered', agentStatus: 'not_answered', disposition: '', comments: '' },
});
