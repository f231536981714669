import { specificationLogins } from '../../fixtures/agents.ts';
import { type Reply, success } from '../../lib/support/scripted-service.ts';
import type { Happening } from './fault.ts';
import { type Polling, polling } from './runs/polling.ts';

/** Agents are polled. */
export const polled = (what: string, setting: Omit<Polling, 'deployment'>): Happening => ({
  what,
  cause: ({ deployment }) => polling({ deployment, ...setting }),
});

const floor = success(specificationLogins);
/** The list, and an agent without an id in it. */
export const nameless = success([...specificationLogins, { AgentName: 'Nobody' }]);

/** The service says this from one minute until another, and its list else. */
export const between =
  (from: number, to: number, said: Reply) =>
  (minute: number): Reply =>
    from <= minute && minute < to ? said : floor;

/** Everybody has another state in the next minute. */
export const busy = (minute: number): Reply =>
  success(specificationLogins.map((agent) => ({ ...agent, AgentState: minute % 2 === 0 ? 'READY' : 'PAUSE' })));
