import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { reconciliationRow } from '../../functions/reconcile-calls/reconciliation.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { afterWait, type Mood, onceEach, onlyFor, ways } from '../support/odd-answers.ts';
import { sentBy } from '../support/sent-requests.ts';
import { startOddAws } from './support/odd-aws.ts';

const { plainly: _plainly, ...odd } = ways;

const makes = (what: string, output: object) => (there: Set<string>) => {
  there.add(what);
  return output;
};
const removes = (what: string) => (there: Set<string>) => void there.delete(what);

/** What each operation answers, and makes of what is there. */
const bus: Readonly<Record<string, (there: Set<string>) => unknown>> = {
  CreateQueue: makes('queue', { QueueUrl: 'http://sqs.invalid/1/follow' }),
  GetQueueAttributes: () => ({ Attributes: { QueueArn: 'arn:queue' } }),
  PutRule: makes('rule', { RuleArn: 'arn:rule' }),
  SetQueueAttributes: () => ({}),
  PutTargets: makes('target', { FailedEntryCount: 0 }),
  ReceiveMessage: () => ({}),
  RemoveTargets: removes('target'),
  DeleteRule: removes('rule'),
  DeleteQueue: removes('queue'),
};

const mostReceives = 70;

/** Follows a quiet bus for a while. `left` has what is there still, and is not named. */
const followed = async (stopSeconds: number, mood: Mood = () => undefined) => {
  const there = new Set<string>();
  const aws = await startOddAws(mapValues(bus, (operation) => () => operation(there)));
  aws.server.answers((asked) => {
    if (asked.operation !== 'ReceiveMessage') return mood(asked);
    // Who does not wait would ask for ever in no time.
    return asked.nth > mostReceives ? ways.never : (mood(asked) ?? afterWait);
  });
  const done = await aws.run('events --follow', stopSeconds);
  const receives = aws.server.asked().filter(({ operation }) => operation === 'ReceiveMessage').length;
  const sent = aws.server.asked();
  return { ...done, sent, receives, left: [...there].filter((what) => !done.notes.includes(`The ${what} `)) };
};

const minute = 60_000;
/** Three attempts at each of three deletions. */
const longestEnd = 30_000;

describe('callfeed events --follow', () => {
  it('waits for a quiet bus, and asks it about once a second', async () => {
    const { code, receives, tookMs, left, open } = await followed(60);

    expect([code, left, open]).toEqual([0, [], []]);
    expect(receives).toBeGreaterThan(50);
    expect(receives).toBeLessThan(mostReceives);
    expect(tookMs).toBeLessThan(minute + longestEnd);
  });

  it.each(Object.entries(odd))(
    'deletes what it has made, or names it, where it is answered once %s',
    async (_how, way) => {
      const { left, open, tookMs } = await followed(5, onceEach(way));

      expect([left, open]).toEqual([[], []]);
      expect(tookMs).toBeLessThan(minute + longestEnd);
    },
  );

  it.each(Object.keys(bus))(
    'deletes what it has made, or names it, where nobody learns what %s did',
    async (operation) => {
      const { left, open, tookMs } = await followed(
        5,
        onlyFor(operation, ways['with half of its answer, and then silence']),
      );

      expect([left, open]).toEqual([[], []]);
      expect(tookMs).toBeLessThan(minute + longestEnd);
    },
  );
});

/** Has a day of the report read, by a run that is over when its message has come. `runs` has each that was asked for. */
const reconciled = async (line: string, mood: Mood = () => undefined) => {
  const runs = new Set<string>();
  const aws = await startOddAws({
    SendMessage({ MessageBody }) {
      runs.add(JSON.parse(String(MessageBody)).run);
      return { MessageId: 'm', MD5OfMessageBody: createHash('md5').update(String(MessageBody)).digest('hex') };
    },
    GetItem() {
      const [id = 'none'] = runs;
      const counts = { records: 1, calls: 1, known: 1, found: 0, completed: 0, unreadable: 0 };
      const lastRun = { id, isDryRun: false, endedAt: '2026-11-20T06:00:02.000Z', done: { '2026-11-20': counts } };
      const state = { account: 'demo', version: 1, requests: [], access: 0, days: {}, lastRun };
      return { Item: marshalled(reconciliationRow(state)) };
    },
  });
  aws.server.answers(mood);
  const { code, output, open } = await aws.run(line, 600);
  return { code, output, open, runs: runs.size, asked: aws.server.asked() };
};

describe('callfeed reconcile', () => {
  const line = 'reconcile --day 2026-11-20 --json';

  it.each(Object.entries(odd))('asks for one run and shows it, where it is answered once %s', async (_how, way) => {
    const { asked: _often, ...usual } = await reconciled(line);
    expect(usual).toMatchObject({ code: 0, open: [], runs: 1 });

    expect(await reconciled(line, onceEach(way))).toMatchObject(usual);
  });

  it.each(['SendMessage', 'GetItem'])('ends with a reason where %s is never answered', async (operation) => {
    expect(await reconciled(line, onlyFor(operation, ways.never))).toMatchObject({ code: 1, open: [] });
  });
});

/** Which test asks for what these rows do not: of an AWS that fails, in most of them. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'console/odd-answers.test.ts': ['BatchGetItem', 'GetObject', 'Query', 'Scan'],
  'what-is-left.long.ts': [
    'ChangeMessageVisibility',
    'DeleteItem',
    'DeleteMessage',
    'DeleteObject',
    'DescribeTable',
    'PutItem',
    'TransactWriteItems',
    'UpdateItem',
  ],
  'dead-letters/dead-letters.test.ts': ['CancelMessageMoveTask', 'ListMessageMoveTasks', 'StartMessageMoveTask'],
  'analytics/query.test.ts': ['GetQueryExecution', 'GetQueryResults', 'StartQueryExecution', 'StopQueryExecution'],
  // Commands ask it first, before anything is begun.
  'frame/from-stack.test.ts': ['DescribeStacks'],
  // An event that stays in the queue is deleted with it.
  'events/follow-bus.test.ts': ['DeleteMessageBatch'],
};

it('each request that commands may send to AWS is sent by these rows, or by a test that is named here', async () => {
  const { sent } = await followed(5);
  const { asked } = await reconciled('reconcile --day 2026-11-20 --json');
  const here = new Set([...sent, ...asked].map(({ operation }) => operation));

  expect(sentBy('cli', 'client').filter((operation) => !here.has(operation))).toEqual(
    Object.values(elsewhere).flat().toSorted(),
  );
});
