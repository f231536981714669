import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { configurations, switchedOn } from '../support/configurations.ts';
import { idsNamedIn, type Resource, resourcesOf } from '../support/resources.ts';
import { nameOf, type Properties, plain, synthesise } from '../support/template.ts';
import { stackRules } from './rules.ts';

const variants = {
  ...configurations,
  'everything without a key': { ...switchedOn, dashboard: 'on', dataProtection: 'on' },
};
const stacks = Object.entries(variants).map(([name, context]) => [name, synthesise({ context })] as const);
const rules = Object.entries(stackRules);
const everything = synthesise({ context: variants.everything });

describe.each(stacks)('in a stack with %s', (_name, synthesised) => {
  it.each(rules)('%s', (_rule, rule) => {
    expect(rule(synthesised).broken).toEqual([]);
  });

  it('each output and parameter is there if what it names is, and names the same as with everything', () => {
    const there = resourcesOf(synthesised.template);
    const expected = published(everything.template).filter(([, , ids]) => ids.every((id) => id in there));

    expect(expected.length).toBeGreaterThan(10);
    expect(named(published(synthesised.template))).toEqual(named(expected));
  });
});

/** Their values differ with settings. */
const ofSettings = ['CallbackUrl', 'CallbackDomainTarget', 'key-arn'];

/** What others find a deployment by: the outputs and the parameters of its stage that name a resource, each with the ids in it. */
const published = (template: Template) => {
  const outputs = Object.entries(template.findOutputs('*')).map(([name, { Value }]) => [name, Value] as const);
  const parameters = Object.values(resourcesOf(template))
    .filter(({ Type }) => Type === 'AWS::SSM::Parameter')
    .map(({ Properties = {} }) => [String(Properties['Name']).split('/').at(-1) ?? '', Properties['Value']] as const);
  return [...outputs, ...parameters]
    .map(([name, value]) => [name, nameOf(value), idsNamedIn(value)] as const)
    .filter(([name, , ids]) => ids.length > 0 && !ofSettings.includes(name));
};

const named = (all: ReturnType<typeof published>) => Object.fromEntries(all.map(([name, value]) => [name, value]));

describe('the rules', () => {
  it.each(rules)('look at something: %s', (_name, rule) => {
    expect(rule(everything).places).toBeGreaterThan(0);
  });

  const found = (type: string, has: (resource: Resource, id: string) => boolean = () => true) => {
    const resources = structuredClone(resourcesOf(everything.template)) as Record<string, Resource>;
    const [id = '', resource = expect.unreachable()] =
      Object.entries(resources).find(([each, of]) => of.Type === type && has(of, each)) ?? [];
    return { resources, id, resource, properties: (resource.Properties ?? {}) as Properties };
  };
  type Found = ReturnType<typeof found>;
  const alarmOf = (name: string) => found('AWS::CloudWatch::Alarm', (_of, id) => plain(id) === `Monitoring${name}`);

  const mistakes: readonly (readonly [rule: string, mistake: string, at: () => Found, make: (at: Found) => unknown])[] =
    [
      [
        'what uses a role is made after what the role may do',
        'a stream that waits for nothing',
        () => found('AWS::KinesisFirehose::DeliveryStream'),
        ({ resource }) => Reflect.deleteProperty(resource, 'DependsOn'),
      ],
      [
        'what names another resource by its text is made after it',
        'a mapping that waits for no stage',
        () => found('AWS::ApiGatewayV2::ApiMapping'),
        ({ resource }) => Reflect.deleteProperty(resource, 'DependsOn'),
      ],
      [
        'no two changes of one policy come at once',
        'two statements of a bus that do not wait for each other',
        () => found('AWS::Events::EventBusPolicy', ({ DependsOn }) => DependsOn !== undefined),
        ({ resource }) => Reflect.deleteProperty(resource, 'DependsOn'),
      ],
      [
        'no two changes of one policy come at once',
        'a second policy of a queue',
        () => found('AWS::SQS::QueuePolicy'),
        ({ resources, resource }) => Object.assign(resources, { Second: resource }),
      ],
      [
        'an alarm reads what is emitted, with its dimension, by a statistic that says something',
        'an average',
        () => alarmOf('EventsLate'),
        ({ properties }) => Object.assign(properties, { Statistic: 'Average' }),
      ],
      [
        'an alarm reads what is emitted, with its dimension, by a statistic that says something',
        'the address of a queue in place of its name',
        () => alarmOf('ParkedDeadLettered'),
        ({ properties }) =>
          Object.assign(properties['Dimensions'][0], {
            Value: { Ref: properties['Dimensions'][0].Value['Fn::GetAtt'][0] },
          }),
      ],
      [
        'an alarm reads what is emitted, with its dimension, by a statistic that says something',
        'a mapping that counts nothing',
        () => found('AWS::Lambda::EventSourceMapping', ({ Properties }) => Properties?.['MetricsConfig'] !== undefined),
        ({ properties }) => Reflect.deleteProperty(properties, 'MetricsConfig'),
      ],
      [
        'an expression uses each metric of its alarm, over one period',
        'an expression without one of them',
        () => alarmOf('ParkedOverdue'),
        ({ properties }) =>
          Object.assign(
            properties['Metrics'].find(({ Expression }: Properties) => Expression),
            { Expression: 'visible' },
          ),
      ],
      [
        'a graph has what its alarm reads, as the alarm reads it',
        'another period',
        () => alarmOf('EventsLate'),
        ({ properties }) => Object.assign(properties, { Period: 60 }),
      ],
      [
        'a saved query asks each log that has such lines, and for fields that they have',
        'one log less',
        () => found('AWS::Logs::QueryDefinition', ({ Properties }) => Properties?.['LogGroupNames'].length > 1),
        ({ properties }) => properties['LogGroupNames'].pop(),
      ],
      [
        'a saved query asks each log that has such lines, and for fields that they have',
        'a field by another name',
        () => found('AWS::Logs::QueryDefinition', ({ Properties }) => Properties?.['QueryString'].includes('detail')),
        ({ properties }) =>
          Object.assign(properties, { QueryString: properties['QueryString'].replace('detail', 'details') }),
      ],
      [
        'a metric filter counts lines that are logged, for an alarm',
        'a field that nothing logs',
        () => found('AWS::Logs::MetricFilter'),
        ({ properties }) => Object.assign(properties, { FilterPattern: '{ $.statusCode = "429" }' }),
      ],
      [
        'each log has one writer, and all are kept as long',
        'a log for ever',
        () => found('AWS::Logs::LogGroup'),
        ({ properties }) => Reflect.deleteProperty(properties, 'RetentionInDays'),
      ],
      [
        'data outlives a protected stack, and nothing else outlives any',
        'a log that stays',
        () => found('AWS::Logs::LogGroup'),
        ({ resource }) => Object.assign(resource, { DeletionPolicy: 'Retain' }),
      ],
      [
        'a table has the tags of its stack',
        'a table without',
        () => found('AWS::DynamoDB::GlobalTable'),
        ({ properties }) => Reflect.deleteProperty(properties['Replicas'][0], 'Tags'),
      ],
      [
        'a bucket forgets its objects, and what is left of uploads',
        'a bucket that keeps all',
        () => found('AWS::S3::Bucket'),
        ({ properties }) => Reflect.deleteProperty(properties, 'LifecycleConfiguration'),
      ],
    ];

  it.each(mistakes)('find what breaks “%s”: %s', (name, _mistake, at, make) => {
    const mistaken = at();
    make(mistaken);
    const template = Template.fromJSON({ ...everything.template.toJSON(), Resources: mistaken.resources });

    expect(stackRules[name]?.({ stack: everything.stack, template }).broken.length).toBeGreaterThan(0);
  });

  it('have each a mistake above', () => {
    expect(new Set(mistakes.map(([rule]) => rule))).toEqual(new Set(Object.keys(stackRules)));
  });
});
