import { describe, expect, it } from 'vitest';
import { nameOf, plain, someOf } from '../resources.ts';
import { synthesise } from '../synthesise.ts';
import { metricsOnDashboard } from './on-dashboard.ts';
import { watchedBy } from './series.ts';

type Known = readonly [namespace: string, metric: string, dimension: string];

const known: readonly Known[] = [
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  ['AWS/ApiGateway', '5xx', 'ApiId'],
  ['AWS/ApiGateway', 'Latency', 'ApiId'],
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  ['AWS/Lambda', 'Errors', 'FunctionName'],
  ['AWS/Lambda', 'DestinationDeliveryFailures', 'FunctionName'],
  ['AWS/Lambda', 'IteratorAge', 'FunctionName'],
  ['AWS/Lambda', 'OnFailureDestinationDeliveredEventCount', 'EventSourceMappingUUID'],
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  ['AWS/SQS', 'ApproximateNumberOfMessagesNotVisible', 'QueueName'],
  ['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName'],
];

const { template } = synthesise();
const alarms = someOf(template, 'AWS::CloudWatch::Alarm');
const ofAlarms = alarms.flatMap(([id, alarm]) =>
  Object.values(watchedBy(alarm)).map((metric) => ({ ...metric, alarm: plain(id).replace('Monitoring', '') })),
);
const isOfAws = ({ namespace }: { readonly namespace: string }) => namespace.startsWith('AWS/');

const looked = new Map(
  [...ofAlarms, ...metricsOnDashboard(template)]
    .filter(isOfAws)
    .map(({ namespace, metric, dimensions }) => [namespace, metric, ...Object.keys(dimensions)])
    .map((each) => [each.join(' '), each]),
);

describe('metrics of AWS’s own', () => {
  it.each([...looked.values()])('%s %s by %s is one that AWS documents', (...metric) => {
    expect(known).toContainEqual(metric);
  });

  it('are listed above as far as they are looked at', () => {
    expect(looked.size).toBe(known.length);
  });

  it('are those of the part that their alarm is about', () => {
    const parts = ofAlarms.filter(isOfAws).map(({ alarm, dimensions }) => [alarm, ...Object.values(dimensions)]);

    expect(parts).toEqual([
      ['CallbacksFail', 'ApiHttpApi.Ref'],
      ['ReceiverCrashes', 'ReceiveCallbackServiceFunction.Ref'],
      ['RepliesSlow', 'ApiHttpApi.Ref'],
      ['ParkedWaitLong', 'ParkingQueue.QueueName'],
      ['ParkedWaitLong', 'ParkingQueue.QueueName'],
      ['ParkedSetAside', 'ParkingDeadLetters.QueueName'],
      ['RecoveryCrashes', 'RecoverCallbacksServiceFunction.Ref'],
      ['EventsLate', 'PublishChangesServiceFunction.Ref'],
      ['CallEventsSetAside', 'PublishChangesServiceFunctionCalls.Ref'],
      ['AgentEventsSetAside', 'PublishChangesServiceFunctionAgents.Ref'],
      ['EventsLost', 'PublishChangesServiceFunction.Ref'],
      ['PublisherCrashes', 'PublishChangesServiceFunction.Ref'],
      ['PollerCrashes', 'PollAgentsServiceFunction.Ref'],
    ]);
  });
});

describe('the saved queries', () => {
  const queries = someOf(template, 'AWS::Logs::QueryDefinition').map(([id, query]) => [plain(id), query] as const);

  it.each(queries)('%s asks logs of the deployment, under its name', (_id, { Name, LogGroupNames }) => {
    expect(nameOf(Name)).toMatch(/^callfeed-prod-Callfeed\/[A-Z]/);
    expect(LogGroupNames.map(nameOf).length).toBeGreaterThan(0);
    for (const name of LogGroupNames.map(nameOf)) expect(name).toMatch(/Service(Logs)\.Ref$|^ApiAccessLog\.Ref$/);
  });
});
