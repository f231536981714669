/** Steps of a simulator's script. */
export const logIn = (agentId: string, state = 'READY') => ({ action: 'log-in' as const, agentId, state });
export const setState = (agentId: string, state: string) => ({ action: 'set-state' as const, agentId, state });
export const logOut = (agentId: string) => ({ action: 'log-out' as const, agentId });
