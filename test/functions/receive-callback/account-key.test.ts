import { describe, expect, it } from 'vitest';
import { deployment } from '../../deployment/index.ts';
import { sentinelKey } from '../../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { formOf, type Request } from '../../support/local-servers.ts';

describe('an account’s key', () => {
  const keyed = { ...summary, Apikey: sentinelKey };
  const withKey = (text: string) => `${text} ${sentinelKey}`;
  const recording = `https://r.example.com/1.mp3?key=${sentinelKey}`;

  it.each<[string, Request]>([
    ['a call summary', { body: formOf(keyed) }],
    ['a list with a participant', { body: formOf([keyed, { ...specificationParticipant, Apikey: sentinelKey }]) }],
    ['a comment that repeats it', { body: formOf({ ...keyed, Comments: withKey('key') }) }],
    ['a recording’s URL', { body: formOf({ ...keyed, AudioFile: recording, CallerConfAudioFile: recording }) }],
    ['unknown and nested fields', { body: formOf({ ...keyed, more: { a: [sentinelKey] }, [sentinelKey]: '1' }) }],
    ['an id', { body: formOf({ ...keyed, monitorUCID: sentinelKey, CallID: sentinelKey }) }],
    ['a field beside data', { body: `${formOf(summary)}&Apikey=${sentinelKey}` }],
    ['broken JSON', { body: formOf(JSON.stringify(keyed).slice(0, -1)) }],
    ['JSON that is truncated within it', { body: formOf(`{"Apikey":"${sentinelKey}`) }],
    ['a form without data', { body: `Apikey=${sentinelKey}&note=${withKey('x')}` }],
    ['repeated data', { body: `${formOf(keyed)}&data=${sentinelKey}` }],
    ['another post', { body: formOf({ event: 'x', Apikey: sentinelKey, nested: { ApiKey: 'y', z: sentinelKey } }) }],
    ['JSON in JSON that is no call', { body: formOf({ event: 'x', body: JSON.stringify(keyed) }) }],
    ['a form sent as JSON', { body: `Apikey=${sentinelKey}&data=%7B`, headers: { 'content-type': 'text/json' } }],
    ['a list with a bad record', { body: formOf([keyed, withKey('x'), { Apikey: sentinelKey }]) }],
  ])('in %s reaches no table, queue, log and reply', async (_what, request) => {
    const d = await deployment();
    await d.send(request);
    await d.fail('dynamodb').during(() => d.send(request));
    await d.settled();

    expect([...(await d.rows('calls')), ...(await d.rows('quarantine'))]).not.toEqual([]);
  });
});
