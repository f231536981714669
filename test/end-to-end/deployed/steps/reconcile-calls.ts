import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import * as z from 'zod';
import type { ReconcileMessage } from '../../../../lib/reconcile/reconcile-calls.ts';
import { until } from '../../../support/until.ts';
import { rowsUnder } from '../clients.ts';
import { account } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

const CallsSent = z.object({ callIds: z.array(z.string()), posts: z.number() });

/** An hour ago: the callback of a call that has just ended may still be on its way. */
const anHourAgo = (): string => new Date(Date.now() - 60 * 60_000).toISOString();

/** Calls at the simulated service, none of whose callbacks is sent. Returns their ids. */
const makeLostCalls = async ({ simulator }: TestContext, count: number): Promise<readonly string[]> => {
  const body = JSON.stringify({ count, callbacks: 'none', at: anHourAgo() });
  const answer = await fetch(`${simulator.url}/_simulator/calls`, { method: 'POST', body });
  const { callIds, posts } = CallsSent.parse(await answer.json());
  expect(posts, 'The callbacks of calls that are lost').toStrictEqual(0);
  return callIds;
};

/**
 * Calls whose callbacks are lost become rows. As for ticks, the schedule's message is sent here; twice, since a schedule may
 * fire twice. Returns the ids of the calls.
 */
export const reconcileCalls = async (context: TestContext): Promise<readonly string[]> => {
  const { clients, outputs, simulator } = context;
  const callIds = await makeLostCalls(context, 3);
  const MessageBody = JSON.stringify({ kind: 'all' } satisfies ReconcileMessage);
  const begin = { QueueUrl: outputs.ReconciliationQueueUrl, MessageBody };
  await Promise.all([begin, begin].map((message) => clients.sqs.send(new SendMessageCommand(message))));

  const rowsOf = (callId: string) =>
    rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `${account.userName}#${callId}` });
  const rows = await until(
    'calls of the report have rows',
    async () => (await Promise.all(callIds.map(rowsOf))).flat().filter(({ sk }) => sk === 'call'),
    ({ length }) => length === callIds.length,
    { seconds: 30 },
  );
  for (const { deliveries } of rows)
    expect(
      // One for each leg.
      [
        ...new Set(
          z
            .array(z.looseObject({}))
            .parse(deliveries)
            .map(({ source }) => source),
        ),
      ],
      'The sources of its deliveries',
    ).toStrictEqual(['report']);
  expect(
    simulator.accounts()[account.userName]?.reports.overLimit,
    'The requests of the report over its limit',
  ).toStrictEqual(0);
  return callIds;
};

/** Throws unless the events that a subscriber got for these calls say that only the report told of them. */
export const expectReported = async ({ subscriber }: TestContext, callIds: readonly string[]): Promise<void> => {
  const details = (await subscriber.events()).map(({ detail }) => detail);
  const found = details.filter(({ callId }) => callIds.includes(String(callId)));
  expect(
    found.map(({ source }) => source),
    'What their events say of the source',
  ).toStrictEqual(callIds.map(() => 'report'));
};
