import { describe, expect, it } from 'vitest';
import { providerState } from '../../../sandbox/agents/provider-state.ts';

describe('providerState', () => {
  it('tells the counts of every account, offences with tokens among them', () => {
    const tokens = { requests: 12, generated: 10, offences: 2, mostInAnyHour: 12, requestTimes: [1] };
    const accounts = () => ({
      demo: { requests: 8, offences: 1, mostInAnyMinute: 6, agentsLoggedIn: 4, requestTimes: [1, 2], tokens },
    });

    expect(providerState({ accounts })).toEqual({
      demo: { requests: 8, offences: 3, mostInAnyMinute: 6, tokensGenerated: 10, agentsLoggedIn: 4 },
    });
  });

  it('is empty where nothing is simulated', () => {
    expect(providerState(undefined)).toEqual({});
  });
});
