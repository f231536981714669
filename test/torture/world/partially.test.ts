import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../../../torture/world/aws-clients.ts';
import { carryPartially } from '../../../torture/world/partially.ts';

/** Carries a request partially to a service that takes all it is given, and answers as told. */
const carried = async (operation: string, input: object, reply: (taken: never) => object, status = 200) => {
  const taken: unknown[] = [];
  const request: WireRequest = { operation, headers: {}, body: Buffer.from(JSON.stringify(input)) };
  const answer = await carryPartially(async ({ body }) => {
    const given = JSON.parse(body.toString());
    taken.push(given);
    return { status, body: JSON.stringify(reply(given as never)) };
  }, request);
  return { taken, status: answer.status, answer: JSON.parse(String(answer.body)) };
};

describe('a batch that is taken in part', () => {
  it('of events is told of entry by entry', async () => {
    const Entries = [1, 2, 3].map((number) => ({ Detail: String(number) }));
    const events = ({ Entries: given }: { Entries: readonly { Detail: string }[] }) => ({
      FailedEntryCount: 0,
      Entries: given.map(({ Detail }) => ({ EventId: `id-${Detail}` })),
    });
    const { taken, answer } = await carried('PutEvents', { Entries }, events);

    expect(taken).toEqual([{ Entries: [{ Detail: '1' }, { Detail: '3' }] }]);
    expect(answer).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ EventId: 'id-1' }, { ErrorCode: 'ThrottlingException' }, { EventId: 'id-3' }],
    });
  });

  it('of messages names those that failed', async () => {
    const Entries = ['a', 'b'].map((Id) => ({ Id, MessageBody: Id }));
    const { taken, answer } = await carried('SendMessageBatch', { QueueUrl: 'q', Entries }, () => ({
      Successful: [{ Id: 'a' }],
    }));

    expect(taken).toEqual([{ QueueUrl: 'q', Entries: [Entries[0]] }]);
    expect(answer).toMatchObject({ Successful: [{ Id: 'a' }], Failed: [{ Id: 'b' }] });
  });

  it('of writes hands back those that were not made', async () => {
    const writes = [1, 2, 3, 4].map((number) => ({ PutRequest: { Item: { pk: { N: String(number) } } } }));
    const { taken, answer } = await carried('BatchWriteItem', { RequestItems: { table: writes } }, () => ({}));

    expect(taken).toEqual([{ RequestItems: { table: [writes[0], writes[2]] } }]);
    expect(answer).toEqual({ UnprocessedItems: { table: [writes[1], writes[3]] } });
  });

  it.each([
    ['one entry', 'PutEvents', { Entries: [{ Detail: '1' }] }],
    ['no batch', 'PutItem', { Item: {} }],
  ])('is taken whole, if it is %s', async (_what, operation, input) => {
    const { taken, answer } = await carried(operation, input, () => ({ is: 'whole' }));

    expect(taken).toEqual([input]);
    expect(answer).toEqual({ is: 'whole' });
  });

  it('is no success where the service fails', async () => {
    const input = { Entries: [{ Detail: '1' }, { Detail: '2' }] };
    const { status, answer } = await carried('PutEvents', input, () => ({ __type: 'InternalException' }), 500);

    expect({ status, answer }).toEqual({ status: 500, answer: { __type: 'InternalException' } });
  });
});
