import { describe, expect, it } from 'vitest';
import { specificationSummary as summary } from '../../fixtures/call-summaries.ts';
import { counts, formPost, memoryReceiver } from '../support/receiver.ts';

const url = 'https://r.example.com/1.mp3';

const afterPosts = async (...posts: readonly object[]) => {
  const { receive, calls } = memoryReceiver();
  for (const post of posts) await receive(formPost({ ...summary, ...post }));
  return calls.records()[0];
};

/** How the same call comes more than once. */
describe('a call that is delivered more than once', () => {
  it('is one record with one revision, posted twice at once', async () => {
    const { receive, calls } = memoryReceiver();
    const answers = await Promise.all([receive(formPost(summary)), receive(formPost(summary))]);

    expect(answers).toEqual([counts({ stored: 1 }), counts({ duplicates: 1 })]);
    expect(calls.records()).toMatchObject([{ revision: 1, deliveries: [{}] }]);
  });

  it.each([
    ['no disposition', { Disposition: '' }, { Disposition: 'Sale' }],
    ['the automatic disposition', { Disposition: 'Wrap up time exceeded :120' }, { Disposition: 'Sale' }],
    ['no disposition, in the wrong order', { Disposition: 'Sale' }, { Disposition: '' }],
    ['the automatic one, in the wrong order', { Disposition: 'Sale' }, { Disposition: 'Wrap up time exceeded :120' }],
  ])('has the agent’s disposition in the end, first with %s', async (_title, first, second) => {
    expect((await afterPosts(first, second))?.facts['dispositions']).toEqual(['Sale']);
  });

  it('keeps what a late, poorer delivery lacks', async () => {
    const record = await afterPosts(
      { AudioFile: url, Disposition: 'Sale' },
      { Status: 'NotAnswered', AudioFile: '', Disposition: '', CallDuration: '00:00:00', HangupBy: 'SystemHangup' },
    );

    expect(record?.facts).toMatchObject({
      status: 'answered',
      recordings: [url],
      dispositions: ['Sale'],
      callDurationSeconds: 250,
      hangupBy: 'user',
    });
    expect(record?.deliveries).toHaveLength(2);
    expect(record?.revision).toBe(1);
  });
});
