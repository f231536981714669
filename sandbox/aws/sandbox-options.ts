import { maxParkedReceives, queueSources } from '../../functions/event-sources.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import type { OnFunctionOutput } from '../functions/function-output.ts';
import type { OnLogLine } from './console-log.ts';

export interface SandboxOptions {
  readonly port: number;
  readonly dynamodbPort: number;
  readonly providerPort: number;
  /** Address of the service to poll. No simulator is started then. */
  readonly provider?: string | undefined;
  readonly traffic: boolean;
  /** Whether the schedule sends ticks, so that the agents are polled. Default: true. Tests send ticks to the tick queue themselves. */
  readonly polling?: boolean | undefined;
  readonly data?: string | undefined;
  readonly analytics?: string | undefined;
  /** Default: the account `demo` with the key `demo-key` and generated tokens. */
  readonly accounts?: readonly Account[] | undefined;
  readonly callbackSecret?: string | undefined;
  readonly recordings?: boolean | undefined;
  /** Fills the tables with a simulated week, and goes on with it in place of other traffic. */
  readonly demo?: boolean | undefined;
  /** The same seed makes the same calls on the same day. Default: 1. */
  readonly seed?: number | undefined;
  /** Whether the console shows names and numbers. A demonstration’s are nobody’s, and shown in any case. */
  readonly personal?: boolean | undefined;
  /** After how many seconds of failed attempts a parked message becomes a dead letter. Default: a day, as deployed. */
  readonly deadLetterSeconds?: number | undefined;
  /** Called with one line for each thing that happens, without personal data or keys. */
  readonly onLog?: OnLogLine | undefined;
  readonly onFunctionOutput?: OnFunctionOutput | undefined;
}

/** The account that is used if none is configured. Its polls need a token, as the specification has it. */
export const demoAccount: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: 'Asia/Kolkata',
  token: { kind: 'generate' },
};

export const withBaseUrl = (accounts: readonly Account[], provider: string): readonly Account[] =>
  accounts.map((account) => ({ baseUrl: provider, ...account }));

/** A day. */
export const deployedDeadLetterSeconds = queueSources['recover-callbacks'].visibilitySeconds * maxParkedReceives;
