import { json } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startHttpServer } from '../../support/local-servers.ts';
import { snippetsOf } from '../../support/repository-files.ts';
import { startScript } from '../../support/sandbox.ts';
import { matches, transformed, valueAt } from '../contract/support/event-bridge.ts';
import { exampleBesideSandbox } from './support/example-project.ts';

const context = { stage: 'prod', crmUrl: 'https://crm.example.com/api', keyVersion: 'version-1' };
const { ofType, addresses, ...sandbox } = exampleBesideSandbox('crm-lead', { context });

/** The rules' targets, each with its rule's pattern. */
const targets = () =>
  ofType('AWS::Events::Rule').flatMap(({ EventPattern, Targets }) =>
    Targets.map((target: object) => ({ EventPattern, ...target })),
  );

it('the stack has no code', () => {
  expect(ofType('AWS::Lambda::Function')).toEqual([]);
});

it('its connection refers to a version of the key, and its destination writes one lead a call', () => {
  const [connection] = ofType('AWS::Events::Connection');
  const [destination] = ofType('AWS::Events::ApiDestination');

  expect(connection?.['AuthParameters']).toEqual({
    ApiKeyAuthParameters: {
      ApiKeyName: 'X-Api-Key',
      ApiKeyValue: '{{resolve:secretsmanager:crm-lead/key:SecretString:::version-1}}',
    },
  });
  expect(destination).toMatchObject({
    HttpMethod: 'PUT',
    InvocationEndpoint: 'https://crm.example.com/api/leads/*',
    InvocationRateLimitPerSecond: 10,
  });
});

it('its targets try for a day, and then keep the event as a dead letter', () => {
  const [queue, ...others] = ofType('AWS::SQS::Queue');

  expect([queue?.['MessageRetentionPeriod'], others]).toEqual([14 * 24 * 60 * 60, []]);
  expect(targets()).toHaveLength(2);
  for (const target of targets())
    expect(target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: 24 * 60 * 60, MaximumRetryAttempts: 185 },
      DeadLetterConfig: { Arn: { 'Fn::GetAtt': [expect.stringContaining('DeadLetters'), 'Arn'] } },
      RoleArn: expect.anything(),
      HttpParameters: { PathParameterValues: ['$.detail.callId'] },
    });
});

it('it sends the lead of each inbound call with a number, as soon as the events have all of it', async () => {
  const post = (callId: string, changes: Readonly<Record<string, string>>) =>
    sandbox.post(callId, { CallerID: '09000000042', ...changes });
  await post('12345678901234567890', {});
  await post('12345678901234567890', { Disposition: 'Says "yes" \\ <b>' });
  await post('900000000000000002', { Type: 'Manual' });
  await post('900000000000000003', { CallerID: '' });
  await post('900000000000000003', { CallerID: '+91 "98" \\ 44' });
  await post('900000000000000004', { StartTime: '' });
  await post('900000000000000004', {});
  await post('900000000000000005', { CallerID: '09000000055' });
  const erase = ['erase', '--customer', '09000000055', '--yes', '--endpoint', addresses().gateway];
  expect(await startScript('cli/callfeed.js', erase).ended).toBe(0);
  const events = (await sandbox.published(9)).map((line) => JSON.parse(line));

  const sent = events.flatMap((event) =>
    targets()
      .filter(({ EventPattern }) => matches(EventPattern, event))
      .map(({ InputTransformer, HttpParameters }) => [
        event.detail.revision,
        valueAt(HttpParameters.PathParameterValues[0], event),
        transformed(InputTransformer, event),
      ]),
  );
  const lead = (revision: number, callId: string, phone = '09000000042') => [
    revision,
    callId,
    {
      external_id: callId,
      revision,
      phone,
      called_at: '2026-11-21T04:30:00.000Z',
      contact_centre: 'demo',
      source: 'inbound call',
    },
  ];

  expect(sent).toEqual([
    lead(1, '12345678901234567890'),
    lead(2, '12345678901234567890'),
    lead(2, '900000000000000003', '+91 "98" \\ 44'),
    lead(2, '900000000000000004'),
    lead(1, '900000000000000005', '09000000055'),
    lead(2, '900000000000000005', 'erased'),
  ]);

  const [shown] = snippetsOf('docs/examples/crm-lead/README.md').filter(({ language }) => language === 'json');
  const ofPage = { called_at: '2026-11-20T05:30:00.000Z', contact_centre: 'acme' };
  expect(JSON.parse(shown?.text ?? '{}')).toEqual({ ...Object(lead(1, '12345678901234567890')[2]), ...ofPage });

  // EventBridge may send each twice and in any order, and an operator may replay the events: a CRM still has one lead a call.
  const leads = await crmWith([...sent, ...sent.toReversed()]);
  expect(leads).toEqual(sent.filter(([revision]) => revision === 2).map(([, , body]) => body));
});

/**
 * Sends leads to a stand-in for the CRM as the API destination does, and answers the leads that it then has. It ignores a
 * smaller revision than it has.
 */
const crmWith = async (sent: readonly (readonly unknown[])[]): Promise<readonly unknown[]> => {
  const leads = new Map<string, { readonly revision: number }>();
  const { url: crm } = await startHttpServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const isAllowed = method === 'PUT' && headers['x-api-key'] === 'the-key';
    const lead = Object(await json(request));
    const isOlder = lead.revision < (leads.get(url)?.revision ?? 0);
    if (isAllowed && !isOlder) leads.set(url, lead);
    response.writeHead(isAllowed ? 200 : 401).end();
  });
  const [{ InvocationEndpoint, HttpMethod } = {}] = ofType('AWS::Events::ApiDestination');
  for (const [, callId, body] of sent) {
    const url = String(InvocationEndpoint).replace('*', String(callId)).replace('https://crm.example.com', crm);
    const headers = { 'Content-Type': 'application/json', 'X-Api-Key': 'the-key' };
    const { status } = await fetch(url, { method: String(HttpMethod), headers, body: JSON.stringify(body) });
    expect(status).toBe(200);
  }
  return [...leads.values()];
};
