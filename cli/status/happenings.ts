import { feedProblemOf, feedProblemText } from '../../client/feed-problem.ts';
import type { FeedChange } from '../../client/index.ts';
import type { CallbackReceipts } from '../../lib/agents/callback-receipts.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import type { AskedHappenings, Happening, StatusPart } from '../frame/feature.ts';
import { type Known, knownValue, settled } from '../frame/problem.ts';
import { callbackReceipts, clientOf } from '../frame/reader.ts';
import { printTable } from '../frame/table.ts';
import type { Terminal } from '../frame/terminal.ts';
import { durationText } from '../frame/texts.ts';
import { reconciliationHappenings } from '../reconciliation/happenings.ts';

const feedHappening = ({ account, status, at, previousSince, reason }: FeedChange): Happening => {
  const lasted = durationText(secondsBetween(previousSince, at));
  const why = reason === undefined ? '' : `: ${feedProblemText(feedProblemOf(reason))}`;
  const text = status === 'live' ? `live again after ${lasted}` : `interrupted${why}`;
  return { at, account, what: 'feed', text };
};

/** Of each kind only the latest instant is stored. */
const receiptHappenings = (account: string, { heldUpAt, recoveredAt }: CallbackReceipts): readonly Happening[] => [
  ...(heldUpAt === undefined
    ? []
    : [{ at: heldUpAt, account, what: 'publishing', text: 'events were held up, last seen then' } as const]),
  ...(recoveredAt === undefined
    ? []
    : [
        {
          at: recoveredAt,
          account,
          what: 'parking',
          text: 'a call that had been parked was stored, last seen then',
        } as const,
      ]),
];

const accountHappenings = async (
  { context, deployment, since }: AskedHappenings,
  account: string,
): Promise<readonly Happening[]> => {
  const [changes, receipts, ofReport] = await Promise.all([
    clientOf(context, {}, deployment, account).feedChanges({ from: since }),
    callbackReceipts(deployment, account),
    reconciliationHappenings(deployment, account),
  ]);
  return [...changes.map(feedHappening), ...receiptHappenings(account, receipts), ...ofReport];
};

/** What happened since an instant, as far as it is stored, in the order of time; and what is not known. */
export const happenedSince = async (
  asked: AskedHappenings,
  parts: readonly Pick<StatusPart, 'name' | 'happened'>[],
) => {
  const found: readonly { readonly part: string; readonly read: Known<readonly Happening[]> }[] = await Promise.all([
    ...asked.accounts.map(async (account) => ({
      part: `account ${account}`,
      read: await settled(accountHappenings(asked, account)),
    })),
    ...parts.flatMap(({ name, happened }) =>
      happened === undefined ? [] : [settled(happened(asked)).then((read) => ({ part: name, read }))],
    ),
  ]);
  return {
    happened: found
      .flatMap(({ read }) => knownValue(read) ?? [])
      .filter(({ at, until = at }) => until >= asked.since)
      .sort((one, other) => one.at.localeCompare(other.at)),
    problems: found.flatMap(({ part, read }) => ('unknown' in read ? [{ part, message: read.unknown }] : [])),
  };
};

const columns = { at: 'AT', until: 'UNTIL', account: 'ACCOUNT', what: 'WHAT', text: 'HAPPENED' };

export const printHappenings = (
  terminal: Terminal,
  happened: readonly Happening[],
  nextCommand: (words: readonly string[]) => string,
): void => {
  const rows = happened.map(({ at, until, account, what, text, command }) => ({
    at,
    until,
    account,
    what,
    text: command === undefined ? text : `${text}: ${nextCommand(command)}`,
  }));
  printTable(terminal, columns, rows);
};
