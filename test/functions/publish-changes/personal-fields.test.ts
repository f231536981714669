import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { PublishChangesEnv } from '../../../functions/publish-changes/env.ts';
import { newCall } from '../../lib/support/change-of.ts';
import { deployedFunction, linesOf } from '../../support/deployed-function.ts';

const { after } = newCall(1, { status: 'answered', timeZone: 'UTC', customerNumber: '09000000042' });
const batch = {
  Records: [
    { dynamodb: { SequenceNumber: '1', NewImage: marshall(after) } },
    { dynamodb: { SequenceNumber: '2', NewImage: marshall({ kind: 'call', pk: 'not ours' }) } },
  ],
};

/** What the publisher puts on the bus with an environment, and what it writes. */
const published = async (environment: Readonly<Record<string, string>>) => {
  const entries: unknown[] = [];
  const { invoke, output } = await deployedFunction(
    'publish-changes',
    (_operation, input) => {
      entries.push(...Object(input['Entries']));
      return { FailedEntryCount: 0, Entries: [{ EventId: '1' }] };
    },
    environment,
  );
  expect(await invoke(batch)).toEqual({ batchItemFailures: [] });
  return { entries: JSON.stringify(entries), lines: linesOf(output()) };
};

describe('publish-changes, as deployed', () => {
  it.each([
    ['keeps what is personal', {}, true],
    ['keeps it where it is told to', { PERSONAL_FIELDS: 'keep' }, true],
    ['leaves it out where it is told to', { PERSONAL_FIELDS: 'leave-out' }, false],
  ])('%s', async (_title, environment, isKept) => {
    const { entries } = await published(environment);

    expect(entries).toContain('Call Summary Recorded');
    expect(entries.includes('09000000042')).toBe(isKept);
  });

  it('tells how long events took, and which rows it passed over', async () => {
    const { lines } = await published({ DEPLOYMENT: 'callfeed-x' });

    expect(lines.filter(({ _aws }) => _aws !== undefined)).toMatchObject([
      { deployment: 'callfeed-x', EventsPublished: 1, RowsPassedOver: 1, PublishLagSeconds: expect.any(Number) },
    ]);
  });
});

describe('the environment of the publisher', () => {
  it('refuses what is neither', () => {
    expect(PublishChangesEnv.safeParse({ BUS_NAME: 'bus', PERSONAL_FIELDS: 'drop' }).success).toBe(false);
  });
});
