import { paginateScan } from '@aws-sdk/client-dynamodb';
import { isUnknownSender } from '../../lib/callback/store-or-park.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import type { Deployment } from '../frame/deployment.ts';
import { episodesOf } from '../frame/episodes.ts';
import type { AskedHappenings, Happening, HealthText, StatusPart } from '../frame/feature.ts';
import { counted } from '../frame/texts.ts';
import { harmlessReason, notDismissed, ofKnownSender, type StoredEntry, scanEntries } from './quarantine-entries.ts';

/** What `status` says of posts and records that were rejected. */
export const quarantinePart = (deployment: Deployment, onScan: ((line: string) => void) | undefined): StatusPart => ({
  name: 'quarantine',
  title: 'Quarantine',
  read: () => countEntries(deployment, onScan),
  happened,
});

/** A page is 1 MB and costs 128 read units. */
const maxPages = 10;

const countEntries = async ({ dynamodb, tables }: Deployment, onScan: ((line: string) => void) | undefined) => {
  const scan = {
    TableName: tables.quarantine,
    Select: 'COUNT',
    FilterExpression: `attribute_exists(#reason) AND #reason <> :harmless AND ${ofKnownSender} AND ${notDismissed}`,
    ExpressionAttributeNames: { '#reason': 'reason' },
    ExpressionAttributeValues: marshalled({ ':harmless': harmlessReason }),
    ReturnConsumedCapacity: 'TOTAL',
  } as const;
  let entries = 0;
  let units = 0;
  let pages = 0;
  let isAtLeast = false;
  for await (const { Count = 0, ConsumedCapacity, LastEvaluatedKey } of paginateScan({ client: dynamodb }, scan)) {
    entries += Count;
    units += ConsumedCapacity?.CapacityUnits ?? 0;
    pages += 1;
    isAtLeast = LastEvaluatedKey !== undefined;
    if (pages === maxPages) break;
  }
  onScan?.(`Scan on quarantine: ${entries} entries, ${counted(pages, 'page')}, ${units} read units`);
  const text = `${isAtLeast ? 'at least ' : ''}${entries} rejected posts and records`;
  const health: HealthText =
    entries === 0
      ? { verdict: isAtLeast ? 'unknown' : 'good', lines: ['None waits for somebody.'] }
      : {
          verdict: 'bad',
          lines: [`${text} wait for somebody. The command shows why:`],
          command: ['quarantine', 'list'],
        };
  return { json: { entries, isAtLeast }, text, count: entries, health };
};

/** Rejected posts by account and reason, those that somebody has dismissed among them. */
const happened = async ({ deployment, since }: AskedHappenings): Promise<readonly Happening[]> => {
  const entries: StoredEntry[] = [];
  for await (const page of scanEntries(deployment, { since }))
    entries.push(...page.filter(({ entry }) => !isUnknownSender(entry)));
  const isDismissed = ({ dismissal }: StoredEntry): boolean => dismissal.dismissedAt !== undefined;
  return episodesOf(entries, {
    kindOf: (one) => [one.entry.account, one.entry.reason, isDismissed(one)],
    at: ({ entry }) => entry.receivedAt,
    tell: (one, count, from) => {
      const { account, reason } = one.entry;
      const rejected = `${counted(count, 'post or record', 'posts or records')} rejected: ${reason}`;
      const ofAccount = account === undefined ? [] : ['--account', account];
      const shown = ['--reason', reason, '--since', from, ...ofAccount];
      return isDismissed(one)
        ? {
            account,
            what: 'quarantine',
            text: `${rejected}, and dismissed`,
            command: ['quarantine', 'list', '--dismissed', ...shown],
          }
        : { account, what: 'quarantine', text: rejected, command: ['quarantine', 'list', ...shown] };
    },
  });
};
