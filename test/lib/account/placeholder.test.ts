import { describe, expect, it } from 'vitest';
import { accountsPlaceholder, isNotSetUp, refusePlaceholder } from '../../../lib/account/placeholder.ts';
import { toldBy } from '../../../lib/tellable.ts';

const refusal = (text: string): unknown => {
  try {
    return refusePlaceholder(text);
  } catch (error) {
    return error;
  }
};

describe('the accounts’ placeholder', () => {
  it('is never reworded: CloudFormation would write the new one over everybody’s accounts', () => {
    expect(accountsPlaceholder).toBe('REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS');
  });

  it.each([
    ['as it was written', accountsPlaceholder],
    ['as an editor saves it', ` ${accountsPlaceholder}\n`],
  ])('is refused in words that say what to do: %s', (_title, text) => {
    const refused = refusal(text);

    expect(isNotSetUp(refused)).toBe(true);
    expect(toldBy(refused)).toMatch(/placeholder.*JSON list of accounts.*README/);
  });

  it.each(['[]', '', accountsPlaceholder.toLowerCase()])('is no other text: %j', (text) => {
    expect(refusal(text)).toBeUndefined();
  });

  it.each([
    ['another fault', new Error('AccountsNotSetUp')],
    ['what is no error', { name: 'AccountsNotSetUp' }],
  ])('is not what is wrong where there is %s', (_title, error) => {
    expect(isNotSetUp(error)).toBe(false);
  });
});
