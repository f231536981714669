import { describe, expect, it } from 'vitest';
import type { FunctionName } from '../../../functions/timeouts.ts';
import { specificationSummary } from '../../fixtures/call-summaries.ts';
import { deliveryFrom } from '../../support/deliveries.ts';
import { type Aws, deployedFunction } from '../../support/deployed-function.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { only } from '../resources.ts';
import { synthesise } from '../synthesise.ts';
import { dataIn } from './datum.ts';
import { isRaised } from './is-raised.ts';
import { watchedBy } from './series.ts';

const { template } = synthesise();
const alarmOf = (name: string) => only(template, 'AWS::CloudWatch::Alarm', `Monitoring${name}`);

/** DynamoDB that takes everything. Nothing else of AWS is there. */
const dynamodb: Aws = (operation) => (operation === 'PutItem' ? {} : undefined);

const parked = JSON.stringify({ kind: 'delivery', ...deliveryFrom(specificationSummary) });
const tick = { messageId: '1', body: 'tick', attributes: { SentTimestamp: String(Date.now()) } };
const row = { kind: { S: 'call' } };

/** Something for each function that makes it emit a metric, the variable that it cannot do without, and its alarm. */
const functions: readonly (readonly [FunctionName, string, unknown, string, string, string])[] = [
  [
    'receive-callback',
    'ReceiveCallback',
    httpApiEvent({ body: formOf({ ...specificationSummary, Apikey: 'stranger' }) }),
    'CallbacksRefused',
    'CALLS_TABLE',
    'ReceiverCrashes',
  ],
  [
    'recover-callbacks',
    'RecoverCallbacks',
    { Records: [{ messageId: '1', body: parked }] },
    'ParkedRecovered',
    'CALLS_TABLE',
    'RecoveryCrashes',
  ],
  [
    'publish-changes',
    'PublishChanges',
    { Records: [{ dynamodb: { SequenceNumber: '1', NewImage: row } }] },
    'RowsPassedOver',
    'BUS_NAME',
    'PublisherCrashes',
  ],
  ['poll-agents', 'PollAgents', { Records: [tick] }, 'TicksServed', 'AGENTS_TABLE', 'PollerCrashes'],
];

/** Accounts of which none is polled. */
const CALLFEED_ACCOUNTS = JSON.stringify([{ userName: 'demo', apiKeys: ['demo-key'] }]);

describe.each(functions)('%s, as deployed', (name, id, event, metric, needed, alarm) => {
  const { DEPLOYMENT } = only(template, 'AWS::Lambda::Function', id)['Environment'].Variables;

  it(`emits ${metric} where the alarms look for it: in our namespace, by the deployment alone`, async () => {
    const { invoke, output } = await deployedFunction(name, dynamodb, { DEPLOYMENT, CALLFEED_ACCOUNTS });
    await invoke(structuredClone(event));

    const lines = output()
      .split('\n')
      .filter((line) => line !== '');
    const emitted = lines.flatMap((line) => dataIn(line, 0)).filter((datum) => datum.metric === metric);
    const { '': _none, ...watched } = watchedBy(alarmOf('EveryCallbackRefused'));
    const [{ namespace, dimensions } = { namespace: '', dimensions: {} }] = Object.values(watched);
    expect(emitted).toEqual([{ at: 0, namespace, dimensions, metric, values: [1] }]);
  });

  /** What Lambda counts of a run, or of a start that failed. */
  const errorsOf = async (environment: Readonly<Record<string, string | undefined>>) => {
    const failed = await deployedFunction(name, dynamodb, { DEPLOYMENT, CALLFEED_ACCOUNTS, ...environment })
      .then(({ invoke }) => invoke(structuredClone(event)))
      .then(
        () => 0,
        () => 1,
      );
    const dimensions = { FunctionName: `${id}ServiceFunction.Ref` };
    return {
      from: 0,
      to: 0,
      data: [{ at: 0, namespace: 'AWS/Lambda', metric: 'Errors', dimensions, values: [failed] }],
    };
  };

  it(`raises ${alarm}: A faulty version is deployed, which has no ${needed}.`, async () => {
    expect(isRaised(alarmOf(alarm), await errorsOf({ [needed]: undefined }))).toBe(true);
  });

  it(`does not raise ${alarm}: It has all that it needs.`, async () => {
    expect(isRaised(alarmOf(alarm), await errorsOf({}))).toBe(false);
  });
});
