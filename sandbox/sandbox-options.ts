import { type Account, defaultTimeZone } from '../lib/accounts/accounts.ts';
import type { OnLogLine } from './console-log.ts';
import type { OnFunctionOutput } from './lambda/function-output.ts';

/** How a sandbox is started. Each port may be 0, which picks a free one. */
export interface SandboxOptions {
  readonly port: number;
  readonly dynamodbPort: number;
  readonly providerPort: number;
  /** Polls this service; no simulator is started then. */
  readonly provider?: string | undefined;
  /** Whether calls happen by themselves, and agents come and go. */
  readonly traffic: boolean;
  /** Whether the schedule has the agents polled; it does unless told. Ticks may be sent to the tick queue all the same. */
  readonly polling?: boolean | undefined;
  /** The same seed gives the same calls. */
  readonly seed?: number | undefined;
  /** Absolute path of a folder in which tables, events and queues are kept between runs. */
  readonly data?: string | undefined;
  /** Without it, the account `demo` with the key `demo-key`. */
  readonly accounts?: readonly Account[] | undefined;
  readonly callbackSecret?: string | undefined;
  /** Told of everything that happens, a line at a time, without personal data or keys. */
  readonly onLog?: OnLogLine | undefined;
  /** Told of what the functions write to their standard output and error. */
  readonly onFunctionOutput?: OnFunctionOutput | undefined;
}

/** The account that is there when none is configured. */
export const demoAccount: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: defaultTimeZone,
  token: { kind: 'none' },
};

/** Every account is polled at its own address, or else at `provider`. */
export const withBaseUrl = (accounts: readonly Account[], provider: string): readonly Account[] =>
  accounts.map((account) => ({ baseUrl: provider, ...account }));
