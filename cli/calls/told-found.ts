import type { AskedCalls } from './asked-calls.ts';
import type { Found } from './first-of.ts';
import { isSome } from './wanted-calls.ts';

/** What is said below a list of calls: how many there are, where the rest is, and why there may be none. */
export const toldFound = ({ found, read, next }: Found, asked: AskedCalls): string => {
  const ofRead = isSome(asked) ? ` of ${read} read` : '';
  const more = next === undefined ? '' : ` More with the same options and --cursor ${next}`;
  return `${found} listed${ofRead}.${more}${read === 0 ? spelling(asked) : ''}`;
};

const spelt = {
  account: 'is the account spelt as in the secret',
  agent: 'is the agent the login id, spelt as “callfeed agents” has it',
  customer: 'is the number spelt as it was sent',
} as const;

/** A name that nobody has is an empty list too. */
const spelling = ({ account, agent, customer, cursor }: AskedCalls): string => {
  const asked = [
    ...(account === undefined ? [] : [spelt.account]),
    ...(agent === undefined ? [] : [spelt.agent]),
    ...(customer === undefined ? [] : [spelt.customer]),
  ];
  return asked.length === 0 || cursor !== undefined ? '' : ` If there should be some: ${asked.join(', and ')}?`;
};
