import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decompressText } from '../../../lib/core/encoding.ts';
import { specificationSummary as summary } from '../../fixtures/calls.ts';
import { type Receiver, startReceiver } from '../../support/deployed-receiver.ts';
import { formOf } from '../../support/http-api-event.ts';

let receiver: Receiver;
let posted = 0;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(() => receiver.stop());

/** The rows after posts about one call, each post a form. Every test has a call of its own. */
const rowsAfter = async (...posts: readonly (object | readonly object[])[]) => {
  posted += 1;
  const id = `4178123456789${1_000 + posted}`;
  const own = (record: object) => JSON.parse(JSON.stringify(record).replaceAll('THE CALL', id));
  for (const post of posts) await receiver.answer({ body: formOf(Array.isArray(post) ? post.map(own) : own(post)) });
  const rows = (await receiver.calls()).filter(({ pk }) => String(pk).startsWith(`demo#${id}`));
  return {
    id,
    calls: rows.filter(({ kind }) => kind === 'call'),
    participants: rows.filter(({ kind }) => kind === 'participant'),
    entries: rows.filter(({ kind }) => kind === 'agent-entry'),
  };
};

const call = { ...summary, monitorUCID: 'THE CALL' };
const missed = { ...call, Status: 'NotAnswered', AgentID: '', AudioFile: '' };
const participant = {
  UCID: 'THE CALL',
  AgentName: 'Asha Rao',
  DialStatus: 'SUCCESS',
  StartTime: '2026-11-20 11:00:02',
};

describe('one call is one row', () => {
  it.each([
    ['missed without CallID, then answered with another', [missed, { ...call, CallID: 88_001 }]],
    ['missed without UCID, then answered with another', [missed, { ...call, UCID: 77_001 }]],
    [
      'answered with CallID, then missed with another',
      [
        { ...call, CallID: 1 },
        { ...missed, CallID: 2 },
      ],
    ],
    ['told single and in a list', [missed, [{ ...call, UCID: 'THE CALL', CallID: 'THE CALL' }]]],
    [
      'told by monitorUCID, then by the CallID that repeats it',
      [missed, { ...call, monitorUCID: '', CallID: 'THE CALL' }],
    ],
    ['told with placeholders for the other ids', [missed, { ...call, UCID: '0', CallID: 0, DataUniqueId: 'NA' }]],
  ])('%s', async (_title, posts) => {
    const { calls } = await rowsAfter(...posts);

    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ status: 'answered', agentIds: ['agent1'], deliveries: [{}, {}] });
    expect(calls[0]).not.toHaveProperty('legs');
  });

  it('lists its legs, in whatever posts and order they come, and every agent finds it', async () => {
    const legs = [
      { ...missed, UCID: 1, AgentID: 'agent1', StartTime: '2026-11-20 10:59:40' },
      { ...call, UCID: 2, AgentID: 'agent2', StartTime: '2026-11-20 11:00:00' },
    ] as const;
    for (const posts of [legs, legs.toReversed(), [legs], [legs.toReversed(), missed]]) {
      const { calls, entries } = await rowsAfter(...posts);

      expect(calls).toMatchObject([
        {
          status: 'answered',
          agentIds: ['agent1', 'agent2'],
          recordings: [summary.AudioFile],
          legs: [
            { ucid: '1', status: 'not-answered', agentIds: ['agent1'] },
            { ucid: '2', status: 'answered', agentIds: ['agent2'] },
          ],
        },
      ]);
      expect([calls[0]?.['agentCalls'], ...entries.map(({ agentCalls }) => agentCalls)]).toEqual([
        'demo#agent1',
        'demo#agent2',
      ]);
    }
  });

  it('does not take a participant without a field of its own for a call', async () => {
    const { calls, participants } = await rowsAfter([call, participant]);

    expect(calls).toMatchObject([{ revision: 1, status: 'answered' }]);
    expect(participants).toMatchObject([{ agentName: 'Asha Rao', dialStatus: 'success' }]);
  });

  it.each([
    ['the same CallID and start, and no number', { CallID: 9, ExitStatus: '' }],
    ['nothing but the call', { AgentName: '', StartTime: '', DialStatus: '' }],
  ])('keeps two participants with %s two, and finds both again', async (_title, blank) => {
    const two = [
      { ...participant, ...blank },
      { ...participant, ...blank },
    ];
    const ended = two.map((one, index) => ({ ...one, EndTime: '2026-11-20 11:00:09', ExitStatus: `end ${index}` }));
    const { participants } = await rowsAfter([call, ...two], [call, ...ended]);

    expect(participants.map(({ exitStatus, revision }) => [exitStatus, revision]).toSorted()).toEqual([
      ['end 0', 2],
      ['end 1', 2],
    ]);
  });

  it('does not merge calls whose monitorUCID is a placeholder', async () => {
    const { id } = await rowsAfter(
      { ...call, monitorUCID: '0', CallID: 'THE CALL-a' },
      { ...call, monitorUCID: 0, CallID: 'THE CALL-b' },
    );
    const rows = (await receiver.calls()).filter(({ callId }) => String(callId).startsWith(id));

    expect(rows.map(({ callId }) => callId).toSorted()).toEqual([`${id}-a`, `${id}-b`]);
  });

  it('has every delivery as it was sent, to the letter and without the key', async () => {
    const text =
      '{"monitorUCID": "41789999", "Status":"Answered","Apikey" : "demo-key","UserName":"demo", "Odd":1.50, "Comments":"a\\/b"}';
    await receiver.answer({ body: formOf(`[${text}, {"UCID":41789999,"ExitStatus":"x"}]`) });
    const rows = (await receiver.calls()).filter(({ callId }) => callId === '41789999');
    const sent = rows.flatMap(({ deliveries }) =>
      (deliveries as { asSent: string }[]).map(({ asSent }) => decompressText(asSent)),
    );

    expect(sent.toSorted()).toEqual([text.replace('demo-key', '***'), '{"UCID":41789999,"ExitStatus":"x"}'].toSorted());
  });
});
