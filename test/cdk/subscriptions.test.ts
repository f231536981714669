import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus, type IRuleTarget, Match, type Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { Callfeed } from '../../cdk/callfeed.ts';
import { CallfeedEvents, type Subscribable } from '../../cdk/subscriptions.ts';
import { registrySchemas } from '../../lib/contract/events.ts';
import { appFor } from './support/synthesise.ts';
import { nameOf, only, propertiesOf, someOf } from './support/template.ts';

/** A subscriber's stack that knows a bus, a queue of its own, and what it comes to. */
const subscriber = (busArn = 'arn:aws:events:eu-west-1:111122223333:event-bus/callfeed', account = '111122223333') => {
  const stack = new Stack(new App(), 'Subscriber', { env: { account, region: 'eu-west-1' } });
  const callfeed = new CallfeedEvents(stack, 'Callfeed', { bus: EventBus.fromEventBusArn(stack, 'Found', busArn) });
  const target = new SqsQueue(new Queue(stack, 'Queue'));

  return { stack, callfeed, target, rules: () => propertiesOf(Template.fromStack(stack), 'AWS::Events::Rule') };
};

/** The pattern of the only rule that a subscription makes. */
const patternOf = (subscribe: (callfeed: Subscribable, target: IRuleTarget) => Rule): unknown => {
  const { callfeed, target, rules } = subscriber();
  subscribe(callfeed, target);
  const patterns = Object.values(rules()).map(({ EventPattern }) => EventPattern);
  expect(patterns).toHaveLength(1);

  return patterns[0];
};

const every = {
  'Call Summary Recorded': (callfeed, target) => callfeed.onCallRecorded(target),
  'Call Summary Revised': (callfeed, target) => callfeed.onCallRevised(target),
  'Call Participant Recorded': (callfeed, target) => callfeed.onParticipantRecorded(target),
  'Agent Logged In': (callfeed, target) => callfeed.onAgentLoggedIn(target),
  'Agent State Changed': (callfeed, target) => callfeed.onAgentStateChanged(target),
  'Agent Details Changed': (callfeed, target) => callfeed.onAgentDetailsChanged(target),
  'Agent Logged Out': (callfeed, target) => callfeed.onAgentLoggedOut(target),
  'Agent Feed Interrupted': (callfeed, target) => callfeed.onFeedInterrupted(target),
  'Agent Feed Restored': (callfeed, target) => callfeed.onFeedRestored(target),
} satisfies Record<string, (callfeed: Subscribable, target: IRuleTarget) => Rule>;

describe('a subscription', () => {
  it('can be had to every event of the contract', () => {
    expect(Object.keys(every)).toEqual(Object.keys(registrySchemas('keep')));
  });

  it.each(Object.entries(every))('to %s gets these events of ours alone', (type, subscribe) => {
    expect(patternOf(subscribe)).toEqual({ source: ['callfeed'], 'detail-type': [type] });
  });

  it('to any event gets what is ours, of whatever type', () => {
    expect(patternOf((callfeed, target) => callfeed.onAnyEvent(target))).toEqual({ source: ['callfeed'] });
  });

  it('hands its rule out, which sends to the target and may be given another', () => {
    const { stack, callfeed, target, rules } = subscriber();
    callfeed.onCallRecorded(target).addTarget(new SqsQueue(new Queue(stack, 'Second')));

    const [rule] = Object.values(rules());
    expect(rule?.['EventBusName']).toBe('callfeed');
    expect(rule?.['Targets'].map(({ Arn }: { Arn: unknown }) => nameOf(Arn))).toEqual(['Queue.Arn', 'Second.Arn']);
  });

  it.each([
    ['in an account that is another', '999988887777'],
    ['in a stack that may go to any account', undefined],
  ])('names the bus by its ARN %s', (_where, account) => {
    const arn = 'arn:aws:events:eu-west-1:111122223333:event-bus/callfeed';
    const stack = new Stack(new App(), 'Elsewhere', account === undefined ? {} : { env: { account } });
    const bus = EventBus.fromEventBusArn(stack, 'Bus', arn);
    new CallfeedEvents(stack, 'Callfeed', { bus }).onFeedInterrupted(new SqsQueue(new Queue(stack, 'Queue')));

    expect(someOf(Template.fromStack(stack), 'AWS::Events::Rule')[0]?.[1]['EventBusName']).toBe(arn);
  });
});

describe('a second subscription to the same events', () => {
  it('is told to give an id of its own', () => {
    const { callfeed, target } = subscriber();
    callfeed.onCallRecorded(target);

    expect(() => callfeed.onCallRecorded(target)).toThrow(
      "Subscriber/Callfeed has a subscription CallSummaryRecorded already: give the other an id of its own, as in { id: 'Missed' }.",
    );
  });

  it('is made with one, which names its rule', () => {
    const { callfeed, target, rules } = subscriber();
    callfeed.onCallRecorded(target);
    callfeed.onCallRecorded(target, { id: 'Missed', where: { call: { status: ['not-answered'] } } });

    expect(Object.keys(rules())).toEqual([
      expect.stringMatching(/^CallfeedSubscriptionsCallSummaryRecorded/),
      expect.stringMatching(/^CallfeedSubscriptionsMissed/),
    ]);
  });
});

describe('where', () => {
  it.each<[string, (callfeed: Subscribable, target: IRuleTarget) => Rule, object]>([
    [
      'words, beginnings, absence and what is in a list',
      (callfeed, target) =>
        callfeed.onCallRecorded(target, {
          where: {
            account: ['acme', { 'anything-but': ['demo'] }],
            call: {
              status: ['not-answered', 'unknown'],
              customerNumber: [{ prefix: '+44' }, { exists: false }],
              agentIds: ['asha'],
              comments: [{ wildcard: '*refund*' }],
              campaignName: [{ 'equals-ignore-case': 'winter' }, { 'anything-but': { prefix: 'test' } }],
              extra: { ticket: [{ exists: true }] },
            },
          },
        }),
      {
        account: ['acme', { 'anything-but': ['demo'] }],
        call: {
          status: ['not-answered', 'unknown'],
          customerNumber: [{ prefix: '+44' }, { exists: false }],
          agentIds: ['asha'],
          comments: [{ wildcard: '*refund*' }],
          campaignName: [{ 'equals-ignore-case': 'winter' }, { 'anything-but': { prefix: 'test' } }],
          extra: { ticket: [{ exists: true }] },
        },
      },
    ],
    [
      'numbers by their size',
      (callfeed, target) =>
        callfeed.onAgentStateChanged(target, {
          where: { secondsInPreviousState: [{ numeric: ['>', 900] }, { numeric: ['>=', 5, '<', 10] }, 0] },
        }),
      { secondsInPreviousState: [{ numeric: ['>', 900] }, { numeric: ['>=', 5, '<', 10] }, 0] },
    ],
    [
      'matchers that CDK has words for',
      (callfeed, target) => callfeed.onAgentLoggedIn(target, { where: { agentId: Match.prefix('team-a-') } }),
      { agentId: [{ prefix: 'team-a-' }] },
    ],
    [
      'what every event has',
      (callfeed, target) => callfeed.onAnyEvent(target, { where: { replayedAt: [{ exists: false }] } }),
      { replayedAt: [{ exists: false }] },
    ],
  ])('asks for %s as EventBridge does', (_what, subscribe, detail) => {
    expect(patternOf(subscribe)).toMatchObject({ source: ['callfeed'], detail });
  });

  it.each<[string, (callfeed: Subscribable, target: IRuleTarget) => Rule]>([
    ['where', (callfeed, target) => callfeed.onCallRecorded(target, { where: {} })],
    ['where.call', (callfeed, target) => callfeed.onCallRecorded(target, { where: { call: { status: undefined } } })],
    ['where.call.status', (callfeed, target) => callfeed.onCallRecorded(target, { where: { call: { status: [] } } })],
  ])('is refused while it is empty at %s', (path, subscribe) => {
    const { callfeed, target } = subscriber();

    expect(() => subscribe(callfeed, target)).toThrow(
      `${path} of subscription CallSummaryRecorded is empty, and would match nothing: leave it out.`,
    );
  });

  it('does not compile with a field, a word or a matcher that cannot be', () => {
    const wrong = (callfeed: Subscribable, target: IRuleTarget) => [
      // @ts-expect-error a word that is none
      callfeed.onCallRecorded(target, { where: { call: { status: ['answred'] } } }),
      // @ts-expect-error a field that is none
      callfeed.onCallRecorded(target, { where: { call: { state: ['answered'] } } }),
      // @ts-expect-error a field of another event
      callfeed.onCallRecorded(target, { where: { changedFields: ['dispositions'] } }),
      // @ts-expect-error a value without its list
      callfeed.onCallRecorded(target, { where: { call: { status: 'answered' } } }),
      // @ts-expect-error a number as text
      callfeed.onCallRevised(target, { where: { revision: ['2'] } }),
      // @ts-expect-error text by its size
      callfeed.onCallRevised(target, { where: { callId: [{ numeric: ['>', 5] }] } }),
      // @ts-expect-error a range that is none
      callfeed.onCallRevised(target, { where: { revision: [{ numeric: ['<', 5, '<', 9] }] } }),
      // @ts-expect-error a part of a word
      callfeed.onAgentStateChanged(target, { where: { current: { state: [{ prefix: 'in' }] } } }),
      // @ts-expect-error anything but a word that is none
      callfeed.onAgentStateChanged(target, { where: { current: { state: [{ 'anything-but': ['bussy'] }] } } }),
      // @ts-expect-error the absence of what is always there
      callfeed.onAgentStateChanged(target, { where: { agentId: [{ exists: false }] } }),
      // @ts-expect-error the presence of an object, which EventBridge knows of its fields only
      callfeed.onAgentStateChanged(target, { where: { current: [{ exists: true }] } }),
      // @ts-expect-error what only some events have
      callfeed.onAnyEvent(target, { where: { agentId: ['asha'] } }),
    ];

    expect(wrong).toBeTypeOf('function');
  });
});

describe('a subscription to the construct itself', () => {
  const stack = new Stack(appFor(), 'Customer');
  const callfeed = new Callfeed(stack, 'Callfeed');
  callfeed.onCallRecorded(new SqsQueue(new Queue(stack, 'Queue')));
  const template = Template.fromStack(stack);

  it('is a rule on its bus, and changes no other resource', () => {
    const alone = new Stack(appFor(), 'Customer');
    new Callfeed(alone, 'Callfeed');
    const before = Object.keys(Template.fromStack(alone).toJSON()['Resources']);
    const added = Object.keys(template.toJSON()['Resources']).filter((id) => !before.includes(id));

    expect(nameOf(only(template, 'AWS::Events::Rule', 'Subscriptions')['EventBusName'])).toBe('Bus.Ref');
    expect(Object.keys(template.toJSON()['Resources'])).toEqual(expect.arrayContaining(before));
    expect(added).toEqual([
      expect.stringMatching(/^CallfeedSubscriptions/),
      expect.stringMatching(/^Queue/),
      expect.stringMatching(/^QueuePolicy/),
    ]);
  });
});
