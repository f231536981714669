import type { PendingAnswers } from '../answers/pending-answers.ts';
import type { Clock } from '../clock.ts';
import { admitted, chargedAccount, claimOf } from './claim.ts';
import { loginRow, success } from './logins-rows.ts';
import type { Operation } from './operation.ts';
import type { ServedAccount } from './served-account.ts';
import { errorTexts, textError, unauthorised } from './texts.ts';

/** What getAgentLogins answers from. */
export interface AgentLoginsSettings {
  readonly accounts: readonly ServedAccount[];
  /** How the sixth request of a minute is met: with an error text under HTTP 200, or with HTTP 429. */
  readonly limitStatus: 200 | 429;
  /** Answers that were asked for instead of good ones. */
  readonly pending: PendingAnswers;
  readonly clock: Clock;
  readonly stopped: AbortSignal;
}

/** Lists who is logged in, five times a minute. */
export const agentLogins =
  ({ accounts, limitStatus, pending, clock, stopped }: AgentLoginsSettings): Operation =>
  (request) => {
    const claim = claimOf(request);
    const charged = chargedAccount(accounts, claim);
    const isWithin = charged?.loginsLimit.arrive() ?? true;

    return async () => {
      const account = admitted(request, claim, charged);
      if (!account.ok) return account.problem;
      const { floor, tokens, userName } = account.value;
      if (!isWithin) return textError(errorTexts.limit, limitStatus);
      if (!tokens.isAccepted(request.headers.authorization)) return unauthorised;

      const { seconds, answer } = pending.next(userName) ?? { seconds: 0, answer: success };
      if (seconds > 0) await clock.sleep(seconds * 1000, stopped);
      return answer(floor.loggedInAt(clock.now()).map(loginRow));
    };
  };
