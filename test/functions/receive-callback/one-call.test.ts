import { describe, expect, it } from 'vitest';
import { deployment } from '../../deployment/index.ts';
import { specificationSummary as summary } from '../../fixtures/calls.ts';

const id = summary.monitorUCID;

/** The rows after posts about one call. */
const rowsAfter = async (...posts: readonly (object | readonly object[])[]) => {
  const d = await deployment();
  for (const post of posts) await d.post(post);
  const rows = await d.rows('calls');
  const ofKind = (wanted: string) => rows.filter(({ kind }) => kind === wanted);
  return { calls: ofKind('call'), participants: ofKind('participant'), entries: ofKind('agent-entry') };
};

const call = summary;
const missed = { ...call, Status: 'NotAnswered', AgentID: '', AudioFile: '' };
const participant = { UCID: id, AgentName: 'Asha Rao', DialStatus: 'SUCCESS', StartTime: '2026-11-20 11:00:02' };

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
    ['told single and in a list', [missed, [{ ...call, UCID: id, CallID: id }]]],
    ['told by monitorUCID, then by the CallID that repeats it', [missed, { ...call, monitorUCID: '', CallID: id }]],
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
});
