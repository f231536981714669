import type { PolledAccount } from '../agent-login/request.ts';
import type { FloorPorts } from '../floor/floor.ts';
import type { Retention, Writing } from '../floor/write-steps.ts';
import type { TelephonyService } from '../ports.ts';
import type { Bearer } from '../token/bearer-tokens.ts';

/** What polling takes. */
export interface PollPorts extends FloorPorts {
  readonly service: TelephonyService;
  readonly retention: Retention;
}

/** One account's turn in one slot. */
export interface Run extends PollPorts {
  readonly account: PolledAccount;
  readonly bearer: Bearer;
}

/** A run begins no more writes after so many milliseconds, so that it comes to its end before it is ended. */
const writesForMs = 9_000;

/** How a run that starts now writes. */
export const writing = (run: Run): Writing => ({
  ...run,
  timeZone: run.account.timeZone,
  untilMs: run.clock().getTime() + writesForMs,
});
