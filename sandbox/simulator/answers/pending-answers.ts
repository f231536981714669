import { isSameUser } from '../../../lib/account/account-book.ts';
import type { Answer } from '../../http/serve.ts';
import type { LoginRow } from '../service/logins-rows.ts';
import { accountNamed } from '../service/served-account.ts';
import { type AnswerQuirk, answerQuirks } from './answer-quirks.ts';
import type { AnswersRequest } from './answers-request.ts';

/** The answer to give next. */
export interface PendingAnswer {
  readonly seconds: number;
  readonly answer: (rows: readonly LoginRow[]) => Answer;
}

/** Answers that were asked for, in the order in which they were. */
export interface PendingAnswers {
  /** False where there is no such account. */
  readonly add: (request: AnswersRequest) => boolean;
  /** The next one for an account, which is then used up; undefined where the good answer is due. */
  readonly next: (userName: string) => PendingAnswer | undefined;
  readonly left: () => readonly Pick<AnswersRequest, 'kind' | 'count' | 'account'>[];
}

/** Nothing asked for yet. */
export const createPendingAnswers = (accounts: readonly { readonly userName: string }[]): PendingAnswers => {
  let pending: readonly AnswersRequest[] = [];

  return {
    add(request) {
      if (request.account !== undefined && accountNamed(accounts, request.account) === undefined) return false;
      pending = [...pending, request];
      return true;
    },
    next(userName) {
      const first = pending.find(({ account = userName }) => isSameUser(account, userName));
      if (first === undefined) return undefined;

      const rest = first.count > 1 ? [{ ...first, count: first.count - 1 }] : [];
      pending = pending.flatMap((one) => (one === first ? rest : [one]));
      const quirk: AnswerQuirk | undefined = answerQuirks.find(({ name }) => name === first.kind);
      const seconds = first.kind === 'slow' ? first.seconds : 0;
      return quirk && { seconds, answer: (rows) => quirk.answer(rows, first.location) };
    },
    left: () => pending.map(({ kind, count, account }) => ({ kind, count, ...(account !== undefined && { account }) })),
  };
};
