import { jsonAnswer } from '../../http/json-answer.ts';
import type { Received } from '../../http/serve.ts';
import type { TokenRule } from '../account.ts';
import { admitted, type Claim, chargedAccount, claimOf } from './claim.ts';
import { type Operation, pathOf } from './operation.ts';
import type { ServedAccount } from './served-account.ts';
import { errorTexts, textError } from './texts.ts';

/** Where, with which header and in which field a token is had: as publicly documented, or as the account has it. */
const habitsOf = (rule: TokenRule) => {
  const own = rule.kind === 'generate' ? rule : undefined;

  return {
    path: `/${(own?.path ?? '/ca_apis/CAToken/generateToken').replace(/^\/+/, '')}`,
    header: own?.header ?? 'apiKey',
    answerField: own?.answerField ?? 'token',
  };
};

/** The accounts whose tokens are generated at a path. */
export const generatingAt = (accounts: readonly ServedAccount[], path: string): readonly ServedAccount[] =>
  accounts.filter(({ tokenRule }) => habitsOf(tokenRule).path === path);

const claimIn = (request: Received, accounts: readonly ServedAccount[]): Claim => {
  const claims = accounts.map(({ tokenRule }) => claimOf(request, habitsOf(tokenRule).header));
  return claims.find(({ apiKey }) => apiKey !== '') ?? { ...claimOf(request), apiKey: '' };
};

/** Makes a token, ten times an hour. */
export const generateToken =
  (allAccounts: readonly ServedAccount[]): Operation =>
  (request) => {
    const accounts = generatingAt(allAccounts, pathOf(request));
    const claim = claimIn(request, accounts);
    const charged = chargedAccount(accounts, claim);
    const isWithin = charged?.tokensLimit.arrive() ?? true;

    return async () => {
      const account = admitted(request, claim, charged);
      if (!account.ok) return account.problem;
      if (!isWithin) return textError(errorTexts.limit);

      const { tokenRule, tokens } = account.value;
      return jsonAnswer(200, { [habitsOf(tokenRule).answerField]: tokens.generate() });
    };
  };
