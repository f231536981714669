import { describe, expect, it } from 'vitest';
import { deployedIn } from '../../../bench/costs/deployed.ts';
import type { Resource } from '../../../bench/costs/template.ts';

const of = (Type: string, Properties: Readonly<Record<string, unknown>> = {}): Resource => ({ Type, Properties });

const mapping = (more: object) => of('AWS::Lambda::EventSourceMapping', { BatchSize: 10, ...more });

const stack = [
  of('AWS::Lambda::Function', { MemorySize: 512, Environment: { Variables: { DEPLOYMENT: 'test' } } }),
  of('AWS::ApiGatewayV2::Stage', { AccessLogSettings: { Format: '{"status":"$context.status"}' } }),
  of('AWS::Logs::LogGroup', { RetentionInDays: 30 }),
  of('AWS::CloudWatch::Alarm', { MetricName: 'Errors' }),
  of('AWS::CloudWatch::Alarm', { Metrics: [{ Expression: 'a + b' }, { MetricStat: {} }, { MetricStat: {} }] }),
  mapping({ StartingPosition: 'TRIM_HORIZON', BatchSize: 100, ParallelizationFactor: 4 }),
  mapping({}),
  mapping({}),
];

describe('what a stack tells of its costs', () => {
  it('is in its resources', () => {
    expect(deployedIn(stack)).toMatchObject({
      deployment: 'test',
      subscription: { batchSize: 100, lanes: 4 },
      memoryMegabytes: 512,
      accessLogBytes: 28,
      logDays: 30,
      servedQueues: 2,
    });
  });

  it('counts each metric under an alarm, and no expression', () => {
    expect(deployedIn(stack).alarmMetrics).toBe(3);
  });

  it('has neither archive, traces nor a key unless they are there', () => {
    expect(deployedIn(stack)).toMatchObject({ archiveDays: 0, isTraced: false, keys: 0, dashboards: 0 });
    const more = [of('AWS::Events::Archive', { RetentionDays: 14 }), of('AWS::KMS::Key')];
    expect(deployedIn([...stack, ...more])).toMatchObject({ archiveDays: 14, keys: 1 });
  });

  it('is not guessed of kinds of resources that nobody has priced', () => {
    expect(() => deployedIn([...stack, of('AWS::EC2::NatGateway')])).toThrow(
      'Say in bench/costs what these cost: AWS::EC2::NatGateway',
    );
  });
});
