import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Asking, askViews, writeEvents } from './simulated-day.ts';

/** When a call without times was received. */
export const occurredAt = '2026-11-20T18:00:00.000Z';

/** The event of a call's revision. `more` replaces fields of its detail. */
export const callEvent = (callId: string, revision: number, call: object, more: object = {}) => ({
  'detail-type': revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised',
  detail: {
    ...{ schemaVersion: 1, id: `${callId}-${revision}`, account: 'demo', callId, revision, call },
    ...{ occurredAt, recordedAt: occurredAt, ...(revision > 1 && { changedFields: ['status'] }) },
    ...more,
  },
});

/** The event that ends an agent's time in a state. */
export const intervalEvent = (agentId: string, state: string, since: string, at: string, account = 'demo') => ({
  'detail-type': 'Agent State Changed',
  detail: {
    ...{ schemaVersion: 1, id: `${account} ${agentId} ${since}`, account, agentId, version: 2 },
    ...{ occurredAt: at, recordedAt: at, previous: { agentId, state, since, loggedInSince: since } },
    secondsInPreviousState: (Date.parse(at) - Date.parse(since)) / 1_000,
    current: { agentId, state: 'pause', since: at, loggedInSince: since },
  },
});

/** Asks the views over the rows of some events. */
export const within = async <Result>(
  events: readonly object[],
  use: (asking: Asking, folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = temporaryFolder('views');
  await writeEvents(folder.path, events, 2);
  const asking = await askViews(folder.path);
  try {
    return await use(asking, folder.path);
  } finally {
    asking.close();
    folder.remove();
  }
};
