import { tellable } from '../tellable.ts';

/**
 * What a new secret holds: no JSON, so every callback is refused until somebody fills it in.
 * Never reword it: CloudFormation writes a changed text over the accounts of everyone who updates.
 */
export const accountsPlaceholder = 'REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS';

const name = 'AccountsNotSetUp';

/** Throws if this is the text of a secret that nobody has filled in yet. */
export const refusePlaceholder = (text: string): void => {
  if (text.trim() !== accountsPlaceholder) return;
  const what = 'The accounts’ secret still holds its placeholder';
  throw Object.assign(tellable(`${what}: put the JSON list of accounts into it (README, “Deploy”)`), { name });
};

/** Whether accounts cannot be read because nobody has filled in the secret yet. */
export const isNotSetUp = (error: unknown): boolean => error instanceof Error && error.name === name;
