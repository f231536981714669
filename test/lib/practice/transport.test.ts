import { describe, expect, it } from 'vitest';
import type { Posted } from '../../../lib/callback/open-envelope.ts';
import { specificationSummary as summary } from '../../fixtures/call-summaries.ts';
import { counts, formPost, memoryReceiver } from '../support/receiver.ts';

const json = JSON.stringify(summary);
const { Apikey: key, ...keyless } = summary;
const ofJson = (text: string, query = {}): Posted => ({ content: { json: text }, query });

/** How posts are carried in the wild. */
describe('the receiver takes a summary', () => {
  it.each<[string, Posted]>([
    ['in the form field data', formPost(summary)],
    ['as a JSON body', ofJson(json)],
    ['in data in the query', { content: { form: {} }, query: { data: [json] } }],
    ['with the key as a form field beside data', formPost(keyless, { Apikey: key })],
    ['as pretty-printed JSON', formPost(JSON.stringify(summary, null, 4))],
    ['with escaped slashes', formPost(json.replaceAll('/', '\\/'))],
    ['with a tenant’s code in the query', { ...formPost(summary), query: { tenant: ['42'], code: ['x'] } }],
    ['as a list of one', formPost([summary])],
  ])('%s', async (_title, post) => {
    const { receive, calls } = memoryReceiver();

    expect(await receive(post)).toEqual(counts({ stored: 1 }));
    expect(calls.records()[0]?.facts).toMatchObject({
      status: 'answered',
      recordings: ['https://recordings.example.com/demo/2026-11-20/41781234567890123.mp3'],
    });
  });

  it.each([
    ['a screen pop', { event: 'screenpop', CallerID: '09000000042', UCID: '1', AgentID: 'agent1' }],
    ['a subscription event', { eventType: 'AgentEvent', AgentID: 'agent1', Status: 'READY', Apikey: key }],
    ['a template for another CRM', { Subject: 'Call from 09000000042', Owner: 'agent1' }],
  ])('and stores no call for %s, which is kept as not-a-call-summary', async (_title, post) => {
    const { receive, calls, quarantine } = memoryReceiver();

    expect(await receive(formPost(post))).toMatchObject({ reason: 'not-a-call-summary', quarantined: 1 });
    expect(calls.records()).toEqual([]);
    expect(quarantine.entries).toMatchObject([{ reason: 'not-a-call-summary' }]);
  });

  it('with one write before the reply, since a slow receiver has been an outage', async () => {
    const { calls, receive } = memoryReceiver();
    await receive(formPost(summary));

    expect(calls.records()).toMatchObject([{ version: 1 }]);
  });
});
