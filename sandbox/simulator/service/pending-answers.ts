import * as z from 'zod';
import { isSameUser } from '../../../lib/accounts/accounts.ts';
import { accountNamed } from './accounts.ts';
import { answerKinds } from './answer-quirks.ts';
import { reportQuirks } from './report-quirks.ts';

/** The names of the unusual answers of getAgentLogins and of the call report. */
export const pendingKinds = [...answerKinds, ...reportQuirks.map(({ name }) => name)];

/** The body of `POST /_simulator/answers`. It replaces the next successful answers of the operation of its kind. */
export const AnswersRequest = z.strictObject({
  kind: z.enum(pendingKinds),
  count: z.int().min(1).max(1000).default(1),
  /** Only answers to this account. */
  account: z.string().min(1).optional(),
  /** Duration of `slow` and `report-slow`. */
  seconds: z.number().min(0).max(600).default(20),
  /** Target of `redirect`. By default nothing listens there. */
  location: z.url().default('http://127.0.0.1:9/ca_apis/getAgentLogins'),
});
export type AnswersRequest = z.infer<typeof AnswersRequest>;

/** An unusual answer that is due. */
export interface PendingAnswer<Quirk> {
  readonly quirk: Quirk;
  /** How long the answer takes. */
  readonly seconds: number;
  readonly location: string;
}

/** Requested answers in their order. */
export interface PendingAnswers {
  /** False if there is no such account. */
  readonly add: (request: AnswersRequest) => boolean;
  /** Removes and returns the next one of these quirks for an account; undefined means the normal answer. */
  readonly next: <Quirk extends { readonly name: string }>(
    userName: string,
    quirks: readonly Quirk[],
  ) => PendingAnswer<Quirk> | undefined;
  readonly remaining: () => readonly Pick<AnswersRequest, 'kind' | 'count' | 'account'>[];
}

export const createPendingAnswers = (accounts: readonly { readonly userName: string }[]): PendingAnswers => {
  let pending: readonly AnswersRequest[] = [];

  return {
    add(request) {
      if (request.account !== undefined && accountNamed(accounts, request.account) === undefined) return false;
      pending = [...pending, request];
      return true;
    },
    next(userName, quirks) {
      const first = pending.find(
        ({ account = userName, kind }) => isSameUser(account, userName) && quirks.some(({ name }) => name === kind),
      );
      const quirk = quirks.find(({ name }) => name === first?.kind);
      if (first === undefined || quirk === undefined) return undefined;

      const rest = first.count > 1 ? [{ ...first, count: first.count - 1 }] : [];
      pending = pending.flatMap((one) => (one === first ? rest : [one]));
      return { quirk, seconds: first.kind.endsWith('slow') ? first.seconds : 0, location: first.location };
    },
    remaining: () =>
      pending.map(({ kind, count, account }) => ({ kind, count, ...(account !== undefined && { account }) })),
  };
};
