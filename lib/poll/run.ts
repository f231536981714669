import type { PolledAccount } from '../agent-login/request.ts';
import type { FloorPorts } from '../floor/floor.ts';
import type { Retention, Writing } from '../floor/write-steps.ts';
import type { TelephonyService } from '../ports.ts';
import type { Bearer } from '../token/bearer-tokens.ts';

/** What polling takes. */
export interface PollPorts extends FloorPorts {
  readonly service: TelephonyService;
  readonly retention: Retention;
  /** Resolves after so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** One account's turn in one slot. */
export interface Run extends PollPorts {
  readonly account: PolledAccount;
  readonly bearer: Bearer;
  /** After this instant (milliseconds) nothing more is begun, so that the run comes to its end before it is ended. */
  readonly untilMs: number;
  /** The account has another key than the one that was refused: to wait any longer is no use. */
  readonly hasNewKey: boolean;
}

/** For how long a run may begin something. */
export const beginsForMs = 9_000;

/** How a run writes. */
export const writing = (run: Run): Writing => ({ ...run, timeZone: run.account.timeZone });
