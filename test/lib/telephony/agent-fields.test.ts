import { describe, expect, it } from 'vitest';
import { agentStates } from '../../../lib/telephony/vocabularies.ts';
import { agentFacts } from '../../support/agents.ts';

/** The states as production and the specification write them, and our words for them. */
const stateRows = [
  ['READY', 'ready'],
  ['ACW', 'acw'],
  ['IDLE', 'idle'],
  ['Idle', 'idle'],
  ['BUSY', 'busy'],
  ['INCALL', 'in-call'],
  ['calling', 'calling'],
  ['AUX', 'aux'],
  ['PAUSE', 'pause'],
  ['release', 'release'],
  ['OFFLINE', 'offline'],
] as const;

const capitalised = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;

describe('an agent’s state', () => {
  it.each(stateRows)('%s is %s in any letter case, with the word as sent beside it', (word, state) => {
    for (const sent of [word, word.toLowerCase(), word.toUpperCase(), capitalised(word)])
      expect(agentFacts({ AgentState: sent })).toMatchObject({ state, stateAsSent: sent });
  });

  it('covers every word of the vocabulary', () => {
    expect(new Set(stateRows.map(([, state]) => state))).toEqual(new Set(agentStates.words));
  });

  it.each(['Lunching', 'Break 2', 'READY2', 'toString', '__proto__', 'logged-out', 'unknown', '7'])(
    'is unknown for the undocumented word "%s", which is stored as sent',
    (sent) => {
      expect(agentFacts({ AgentState: sent })).toMatchObject({ state: 'unknown', stateAsSent: sent });
    },
  );
});
