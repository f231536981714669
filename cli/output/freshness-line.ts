import type { Freshness } from '../../client/index.ts';
import type { Terminal } from '../terminal.ts';
import { durationText } from './duration-text.ts';
import { printable } from './printable.ts';
import { styled } from './styled.ts';

/** How old the picture of an account's floor is, in a line that nobody takes for another. */
export const freshnessLine = (terminal: Terminal, account: string, picture: Freshness): string => {
  const name = printable(account);
  if (picture.freshness === 'none')
    return styled(terminal, 'red', `NO PICTURE: nobody of ${name} has ever been seen${whyNone(picture)}.`);

  const age = `${picture.asOf}, ${durationText(picture.ageSeconds)} ago`;
  if (picture.freshness === 'live') return `${name}, as of ${age}.`;
  const why = picture.feed.lastProblem === undefined ? '' : ` The latest problem: ${picture.feed.lastProblem.reason}.`;
  return styled(terminal, 'red', `STALE: ${name} as last seen ${age}; it may be otherwise by now.${why}`);
};

const whyNone = ({ feed }: { readonly feed: unknown }): string =>
  feed === undefined ? ' (is the account spelt as in the secret, and polled?)' : '; the first answer is awaited';
