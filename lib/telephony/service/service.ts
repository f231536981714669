import type { Account, PolledAccount } from '../../accounts/accounts.ts';
import type { Result } from '../../core/result.ts';
import type { WireAgentRequest } from '../agent-fields.ts';
import type { PollFailure } from './problems.ts';

/** A response of the telephony service. */
export interface ServiceResponse {
  /** The HTTP status. */
  readonly status: number;
  readonly text: string;
  /** The Retry-After header, where it is a number of seconds. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The telephony service. It never throws: whatever prevents an answer is one of the known failures. */
export interface TelephonyService {
  /** Posts JSON, follows no redirect, and times out after `requestTimeoutMs`. */
  post(request: ServiceRequest): Promise<Result<ServiceResponse, PollFailure>>;
}

/** A POST of JSON to the telephony service. Its headers hold credentials: never log or redirect it. */
export interface ServiceRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The address of an operation. */
export const operationUrl = ({ baseUrl }: PolledAccount, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;

/** A configured token may already have its scheme. */
export const bearerHeader = (token: string): string => (/^bearer /i.test(token) ? token : `Bearer ${token}`);

/** Spec and practice: both operations identify the account by its name. */
export const requestBody = ({ userName }: Account): string => JSON.stringify({ userName } satisfies WireAgentRequest);
