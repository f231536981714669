import type { Account } from '../account/account.ts';
import type { WireAgentRequest } from './wire.ts';

/** A POST of JSON to the telephony service. Its headers hold credentials: it is never logged and never redirected. */
export interface ServiceRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An account whose agents are polled. */
export type PolledAccount = Account & { readonly baseUrl: string };

/** Whether the account says where its agents are polled. */
export const isPolled = (account: Account): account is PolledAccount => account.baseUrl !== undefined;

/** Asks who is logged in. Spec: the first live key in the header `apiKey`, and the token, if any, as a bearer's. */
export const loginsRequest = (account: PolledAccount, token: string | undefined): ServiceRequest => ({
  url: at(account, '/ca_apis/getAgentLogins'),
  headers: { apiKey: pollingKey(account), ...(token !== undefined && { Authorization: bearer(token) }) },
  body: bodyFor(account),
});

/** A configured token may have its scheme with it. */
const bearer = (token: string): string => (/^bearer /i.test(token) ? token : `Bearer ${token}`);

/** The key that polls. */
export const pollingKey = ({ apiKeys: [first = ''] }: Account): string => first;

/** Spec and practice: both operations are told the account by its name. */
export const bodyFor = ({ userName }: Account): string => JSON.stringify({ userName } satisfies WireAgentRequest);

/** The address of an operation. */
export const at = ({ baseUrl }: PolledAccount, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
