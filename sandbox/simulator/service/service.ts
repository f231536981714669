import type { Handle } from '../../http/serve.ts';
import { notFound } from '../http/not-found.ts';
import { type AgentLoginsSettings, agentLogins } from './agent-logins.ts';
import { type Fault, faultAnswers } from './fault.ts';
import { generateToken, generatingAt } from './generate-token.ts';
import { type Operation, pathOf } from './operation.ts';

/** What the service needs to know. */
export interface ServiceSettings extends AgentLoginsSettings {
  /** The fate of one request. */
  readonly fault: () => Fault;
}

const unknown: Operation = () => async () => notFound;

/** The operations of the service. Every request is counted when it arrives, whatever the fault in force makes of it. */
export const service = (settings: ServiceSettings) => {
  const logins = agentLogins(settings);
  const tokens = generateToken(settings.accounts);

  const isToken = (path: string): boolean => generatingAt(settings.accounts, path).length > 0;
  const operationAt = (path: string): Operation => {
    if (path === '/ca_apis/getAgentLogins') return logins;
    return isToken(path) ? tokens : unknown;
  };
  const handle: Handle = (request) => {
    const answer = operationAt(pathOf(request))(request);
    const fault = settings.fault();
    return fault === 'none' ? answer() : faultAnswers[fault]();
  };

  return {
    /** Whether a path is the service's own, and not the control of the simulator. */
    isOwn: (path: string): boolean => path.startsWith('/ca_apis/') || isToken(path),
    handle,
  };
};
