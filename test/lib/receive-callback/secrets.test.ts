import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Posted } from '../../../lib/callback/open-envelope.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/call-summaries.ts';
import { specificationParticipant } from '../../fixtures/participants.ts';
import { down } from '../support/ports.ts';
import { holdsAsync } from '../support/property.ts';
import { formPost, memoryReceiver } from '../support/receiver.ts';

const summary = { ...specificationSummary, Apikey: sentinelKey };
const stray = (text: string) => `${text} ${sentinelKey}`;
const recording = `https://r.example.com/1.mp3?key=${sentinelKey}`;

const posts: readonly (readonly [string, Posted])[] = [
  ['a call summary', formPost(summary)],
  ['a list with a participant', formPost([summary, { ...specificationParticipant, Apikey: sentinelKey }])],
  ['a comment that repeats it', formPost({ ...summary, Comments: stray('key') })],
  ['a recording’s URL', formPost({ ...summary, AudioFile: recording, CallerConfAudioFile: recording })],
  ['unknown and nested fields', formPost({ ...summary, more: { a: [sentinelKey] }, [sentinelKey]: '1' })],
  ['an id', formPost({ ...summary, monitorUCID: sentinelKey, CallID: sentinelKey })],
  ['a field beside data', formPost(specificationSummary, { Apikey: sentinelKey })],
  ['broken JSON', formPost(JSON.stringify(summary).slice(0, -1))],
  ['JSON that breaks off within it', formPost(`{"Apikey":"${sentinelKey}`)],
  ['a form without data', { content: { form: { Apikey: sentinelKey, note: stray('x') } }, query: {} }],
  ['repeated data', { content: { form: { data: [JSON.stringify(summary), sentinelKey] } }, query: {} }],
  [
    'another post of the vendor',
    formPost({ event: 'x', Apikey: sentinelKey, nested: { ApiKey: 'y', z: sentinelKey } }),
  ],
  ['JSON in JSON that is not understood', formPost({ event: 'x', body: JSON.stringify(summary) })],
  ['a form sent as JSON', { content: { json: `Apikey=${sentinelKey}&data=%7B` }, query: {} }],
  ['a list with a bad record', formPost([summary, stray('x'), { Apikey: sentinelKey }])],
];

describe('an account’s key', () => {
  it.each(posts)('in %s is in no table, answer, queue and metric', async (_title, post) => {
    const { receive, everything } = memoryReceiver();
    const answer = await receive(post);

    expect(everything() + JSON.stringify(answer)).not.toContain(sentinelKey);
    expect(everything()).not.toBe(JSON.stringify([[], [], [], {}]));
  });

  it.each(posts)('in %s is not in what is parked', async (_title, post) => {
    const { receive, parking } = memoryReceiver({ calls: { record: down }, quarantine: { keep: down } });
    await receive(post);

    expect(parking.bodies.join()).not.toContain(sentinelKey);
  });

  it('is in nothing that is kept, wherever it stands in a text that cannot be parsed', async () => {
    const text = JSON.stringify({ ...summary, Comments: stray('x') });
    await holdsAsync(
      fc.asyncProperty(fc.nat({ max: text.length }), fc.constantFrom('', '"', '{', ',', '\\'), async (at, slip) => {
        const { receive, everything } = memoryReceiver();
        await receive(formPost(text.slice(0, at) + slip + text.slice(at + slip.length)));

        expect(everything()).not.toContain(sentinelKey);
      }),
      300,
    );
  });
});
