import * as z from 'zod';
import { isSameUser } from '../../../lib/account/account-book.ts';
import { parsed } from '../../../lib/json/parsed.ts';
import { fail, ok, type Result } from '../../../lib/result.ts';
import type { Answer, Received } from '../../http/serve.ts';
import { accountNamed, type ServedAccount } from './served-account.ts';
import { errorTexts, methodNotAllowed, textError } from './texts.ts';

/** Who a request says it comes from; empty where it does not say. */
export interface Claim {
  readonly userName: string;
  readonly apiKey: string;
}

const Body = z.object({ userName: z.string() });

/** The claim in a request: the name in its body, the key in a header. */
export const claimOf = ({ headers, body }: Received, keyHeader = 'apiKey'): Claim => ({
  userName: Body.safeParse(parsed(body.toString())).data?.userName ?? '',
  apiKey: String(headers[keyHeader.toLowerCase()] ?? ''),
});

/** The account whose limit a request counts towards: the key's, or else the one that is named. */
export const chargedAccount = (
  accounts: readonly ServedAccount[],
  { userName, apiKey }: Claim,
): ServedAccount | undefined => accounts.find(({ keys }) => keys.includes(apiKey)) ?? accountNamed(accounts, userName);

/** The account that a request may act for, or how it is refused: empty fields are told first. */
export const admitted = (
  { method }: Pick<Received, 'method'>,
  { userName, apiKey }: Claim,
  account: ServedAccount | undefined,
): Result<ServedAccount, Answer> => {
  if (method !== 'POST') return fail(methodNotAllowed);
  if (userName === '') return fail(textError(errorTexts.noUserName));
  if (apiKey === '') return fail(textError(errorTexts.noApiKey));

  const isOwn = account?.keys.includes(apiKey) === true && isSameUser(account.userName, userName);
  return isOwn ? ok(account) : fail(textError(errorTexts.invalid));
};
