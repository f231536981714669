import * as z from 'zod';
import type { Account } from '../../lib/accounts/accounts.ts';
import type { Clock } from '../clock.ts';
import type { FaultMode, RecordingFault } from '../faults.ts';

/** An account of the service. Its first key is in its callbacks. Without a token getAgentLogins requires none. */
export type SimulatedAccount = Pick<Account, 'userName' | 'apiKeys' | 'timeZone' | 'token'>;

/** The key in an account's callbacks. */
export const keyOf = ({ apiKeys: [key = ''] }: SimulatedAccount): string => key;

/** How the call report of an account behaves. Accounts differ in all of this. */
export const ReportSettings = z.strictObject({
  /** What a bearer token does: it is refused with 401, it is ignored, or the paged form needs a valid one. */
  token: z.enum(['refused', 'ignored', 'needed-by-pages']),
  /** Whether the unpaged form answers `{"details": [...]}` or the bare list. */
  list: z.enum(['details', 'bare']),
  /** How `CallID` and `UCID` are written. */
  ids: z.enum(['numbers', 'text']),
  /** How the blanks in texts are written. */
  blanks: z.enum(['blank', 'plus']),
  /** What yesterday's report is from 03:00 to 03:05, while the day moves to another database. */
  move: z.enum(['unseen', 'empty', 'shorter']),
  /** How many hours later a tenth of the calls get their recording and disposition. */
  lateHours: z.number().min(0).max(48),
});
export type ReportSettings = z.infer<typeof ReportSettings>;

/** As in the service's own example. */
export const defaultReport: ReportSettings = {
  token: 'refused',
  list: 'details',
  ids: 'numbers',
  blanks: 'blank',
  move: 'unseen',
  lateHours: 0,
};

/** The body of `POST /_simulator/report`: the settings to change, of one account or of all. */
export const ReportRequest = ReportSettings.partial().extend({ account: z.string().min(1).optional() });
export type ReportRequest = z.infer<typeof ReportRequest>;

/** The shares of calls whose callbacks go wrong, 0 to 1. */
export interface CallbackFault {
  /** Calls of which nothing is posted. */
  readonly lost: number;
  /** Of the other calls, those of which only a poorer callback is posted. */
  readonly poorer: number;
}

/** Settings of the simulator. */
export interface SimulatorSettings {
  /** Port on 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  /** The receiver's base address without `/callDetails`. Its path may contain a secret, so it is never logged or shown. */
  readonly callbackUrl: string;
  /** The first one has the calls, and simulated agents. The others have scripted agents only. */
  readonly accounts: readonly [SimulatedAccount, ...SimulatedAccount[]];
  /** Whether calls happen and agents log in and out by themselves. Otherwise all agents are scripted. */
  readonly traffic: boolean;
  /** The same seed makes the same calls and shifts. Default: random, so that two runs have different ids. */
  readonly seed?: number | undefined;
  /** Called with log lines about what is sent, without personal data or keys. */
  readonly onLog?: ((line: string) => void) | undefined;
  /** The fault of each request to the operations `/ca_apis/...` and `/ca_reports/...`. The control endpoints have no faults. */
  readonly fault?: (() => FaultMode) | undefined;
  /** The shares of calls whose callbacks are lost or made poorer, for each call anew. Default: none. */
  readonly callbackFault?: (() => CallbackFault) | undefined;
  /** Which recordings are answered oddly. Default: none. */
  readonly recordingFault?: (() => RecordingFault) | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}
