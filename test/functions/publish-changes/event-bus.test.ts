import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from 'vitest';
import { eventBridgeBus } from '../../../functions/publish-changes/app.ts';
import type { BusEvent } from '../../../lib/publish/events-of-change.ts';
import { scriptedClient } from '../../support/recorded-clients.ts';

const event = (id: string): BusEvent => ({
  type: 'Call Summary Recorded',
  key: id,
  detail: { id, recordedAt: '2026-11-20T06:00:01.000Z' },
});

describe('eventBridgeBus', () => {
  it('puts each event with our source, its type and the time it was recorded', async () => {
    const { client, sent } = scriptedClient<EventBridgeClient>(() => ({ Entries: [{ EventId: 'e1' }] }));

    expect(await eventBridgeBus(client, 'bus').publish([event('1')])).toEqual([true]);

    expect(sent[0]?.input).toEqual({
      Entries: [
        {
          EventBusName: 'bus',
          Source: 'callfeed',
          DetailType: 'Call Summary Recorded',
          Time: new Date('2026-11-20T06:00:01.000Z'),
          Detail: '{"id":"1","recordedAt":"2026-11-20T06:00:01.000Z"}',
        },
      ],
    });
  });

  it('answers which entries of a successful call were rejected', async () => {
    const answers = { FailedEntryCount: 1, Entries: [{ EventId: 'e1' }, { ErrorCode: 'ThrottlingException' }] };
    const { client } = scriptedClient<EventBridgeClient>(() => answers);

    expect(await eventBridgeBus(client, 'bus').publish([event('1'), event('2')])).toEqual([true, false]);
  });

  it('treats an entry without an answer as rejected', async () => {
    const { client } = scriptedClient<EventBridgeClient>(() => ({}));

    expect(await eventBridgeBus(client, 'bus').publish([event('1')])).toEqual([false]);
  });
});
