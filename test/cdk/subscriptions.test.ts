import { App, CfnParameter, Stack } from 'aws-cdk-lib';
import { Annotations, Match as Anything, Template } from 'aws-cdk-lib/assertions';
import { CfnRule, EventBus, type IRuleTarget, Match, type Rule } from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { describe, expect, it } from 'vitest';
import { Callfeed } from '../../cdk/callfeed.ts';
import type { Where } from '../../cdk/constructs/event-pattern.ts';
import { CallfeedEvents, ForwardedEvents, type Subscribable } from '../../cdk/subscriptions.ts';
import type { AgentStateChanged } from '../../lib/contract/agent-events.ts';
import type { CallSummaryRecorded } from '../../lib/contract/call-events.ts';
import { type EventType, eventTypes } from '../../lib/contract/events.ts';
import { deployed } from './support/simulate.ts';
import { appFor, nameOf, only, type Properties, permissionsIn, propertiesOf, someOf } from './support/template.ts';

const { SqsQueue } = targets;
const busArn = 'arn:aws:events:eu-west-1:111122223333:event-bus/callfeed';

/** A subscriber's stack with a bus, a queue and the rules that it synthesises. */
const subscriber = (arn = busArn, account = '111122223333') => {
  const stack = new Stack(new App(), 'Subscriber', { env: { account, region: 'eu-west-1' } });
  const callfeed = new CallfeedEvents(stack, 'Callfeed', { bus: EventBus.fromEventBusArn(stack, 'Found', arn) });
  const target = new SqsQueue(new Queue(stack, 'Queue'));

  return { stack, callfeed, target, rules: () => rulesIn(stack) };
};

/** The rules of a stack by their logical ids, as a template has them; a synthesis for each of these tests takes seconds. */
const rulesIn = (stack: Stack): Readonly<Record<string, Properties>> =>
  Object.fromEntries(
    stack.node
      .findAll()
      .filter((construct) => construct instanceof CfnRule)
      .map((rule) => {
        const { logicalId, eventBusName, eventPattern, targets } = rule;
        return [stack.resolve(logicalId), stack.resolve({ eventBusName, eventPattern, targets })];
      }),
  );

/** The pattern of the only rule that a subscription makes. */
const patternOf = (subscribe: (callfeed: Subscribable, target: IRuleTarget) => Rule): unknown => {
  const { callfeed, target, rules } = subscriber();
  subscribe(callfeed, target);
  const patterns = Object.values(rules()).map(({ eventPattern }) => eventPattern);
  expect(patterns).toHaveLength(1);

  return patterns[0];
};

/** The kinds that have a method of their own. */
const methods = {
  'Call Summary Recorded': (callfeed, target) => callfeed.onCallRecorded(target),
  'Call Summary Revised': (callfeed, target) => callfeed.onCallRevised(target),
  'Call Participant Recorded': (callfeed, target) => callfeed.onParticipantRecorded(target),
  'Call Recording Archived': (callfeed, target) => callfeed.onRecordingArchived(target),
  'Agent Logged In': (callfeed, target) => callfeed.onAgentLoggedIn(target),
  'Agent State Changed': (callfeed, target) => callfeed.onAgentStateChanged(target),
  'Agent Details Changed': (callfeed, target) => callfeed.onAgentDetailsChanged(target),
  'Agent Logged Out': (callfeed, target) => callfeed.onAgentLoggedOut(target),
  'Agent Feed Interrupted': (callfeed, target) => callfeed.onFeedInterrupted(target),
  'Agent Feed Restored': (callfeed, target) => callfeed.onFeedRestored(target),
} satisfies Partial<Record<EventType, (callfeed: Subscribable, target: IRuleTarget) => Rule>>;

describe('a subscription', () => {
  it.each(Object.entries(methods))('to %s matches only these events of Callfeed', (type, subscribe) => {
    expect(patternOf(subscribe)).toEqual({ source: ['callfeed'], 'detail-type': [type] });
  });

  it('can be made for every type without its own method', () => {
    for (const type of eventTypes)
      expect(patternOf((callfeed, target) => callfeed.onEvent(type, target))).toEqual({
        source: ['callfeed'],
        'detail-type': [type],
      });
    const { callfeed, target } = subscriber();
    // @ts-expect-error The type has no such field.
    expect(callfeed.onEvent('Agent Logged Out', target, { where: { callId: ['1'] } })).toBeDefined();
  });

  it('to any event matches every event of Callfeed', () => {
    expect(patternOf((callfeed, target) => callfeed.onAnyEvent(target))).toEqual({ source: ['callfeed'] });
  });

  it('returns its rule, which accepts further targets', () => {
    const { stack, callfeed, target, rules } = subscriber();
    callfeed.onCallRecorded(target).addTarget(new SqsQueue(new Queue(stack, 'Second')));

    const [rule] = Object.values(rules());
    expect(rule?.['eventBusName']).toBe('callfeed');
    expect(rule?.['targets'].map(({ arn }: { arn: unknown }) => nameOf(arn))).toEqual(['Queue.Arn', 'Second.Arn']);
  });

  it('finds the bus of a stage by its parameter', () => {
    const stack = new Stack(new App(), 'Elsewhere');
    const callfeed = CallfeedEvents.fromStage(stack, 'Callfeed', { stage: 'prod' });
    callfeed.onFeedInterrupted(new SqsQueue(new Queue(stack, 'Queue')));
    const template = Template.fromStack(stack);

    const parameters = { '/callfeed/prod/bus-arn': busArn };
    const [[, { EventBusName }] = ['', { EventBusName: '' }]] = someOf(template, 'AWS::Events::Rule');
    expect(deployed(template, { account: '111122223333', region: 'eu-west-1', parameters }, EventBusName)).toBe(
      'callfeed',
    );
    expect(Annotations.fromStack(stack).findWarning('*', Anything.anyValue())).toEqual([]);
  });

  it.each<[string, (stack: Stack) => string, unknown, readonly RegExp[]]>([
    ['a parameter', (stack) => new CfnParameter(stack, 'Arn').valueAsString, { Ref: 'Arn' }, []],
    ['known, and warns', () => busArn, busArn, [/^It is unknown whether/]],
  ])('of a stack without a fixed account names the bus by its ARN, which is %s', (_what, arnIn, named, warnings) => {
    const stack = new Stack(new App(), 'Elsewhere');
    const bus = EventBus.fromEventBusArn(stack, 'Bus', arnIn(stack));
    new CallfeedEvents(stack, 'Callfeed', { bus }).onFeedInterrupted(new SqsQueue(new Queue(stack, 'Queue')));

    expect(someOf(Template.fromStack(stack), 'AWS::Events::Rule')[0]?.[1]['EventBusName']).toEqual(named);
    expect(Annotations.fromStack(stack).findWarning('*', Anything.anyValue())).toMatchObject(
      warnings.map((text) => ({ entry: { data: expect.stringMatching(text) } })),
    );
  });
});

/** Targets that AWS accepts for a rule on a bus of its own account alone: with a role, without one, and a bus elsewhere. */
const ownTargets: Readonly<Record<string, (stack: Stack) => IRuleTarget>> = {
  'a queue': (stack) => new SqsQueue(new Queue(stack, 'Target')),
  'a state machine': (stack) =>
    new targets.SfnStateMachine(StateMachine.fromStateMachineName(stack, 'Target', 'handles')),
  'the bus of a third account': (stack) =>
    new targets.EventBus(EventBus.fromEventBusArn(stack, 'Target', busArn.replace('1111', '7777'))),
};

describe('a rule on the bus of another account', () => {
  const refusal =
    /^Subscriber\/Callfeed\/Subscriptions\/\w+: a rule on the bus of another AWS account can only send to an event bus of your own account\. Create ForwardedEvents, /;
  const own = (stack: Stack) => new targets.EventBus(new EventBus(stack, 'Own'));

  it.each(Object.entries(ownTargets))('refuses %s, when it is made and later', (_kind, targetIn) => {
    const { stack, callfeed } = subscriber(busArn, '999988887777');
    const target = targetIn(stack);

    expect(() => callfeed.onCallRecorded(target)).toThrow(refusal);
    const rule = callfeed.onCallRevised(own(stack));
    expect(() => rule.addTarget(target)).toThrow(refusal);
  });

  it.each(Object.entries(ownTargets))('of the same account accepts %s', (_kind, targetIn) => {
    const { stack, callfeed, rules } = subscriber();
    callfeed.onCallRecorded(targetIn(stack));

    expect(Object.values(rules())).toHaveLength(1);
  });

  it.each<readonly [string, (stack: Stack) => IRuleTarget]>([
    ['a new bus', own],
    ['a bus by its name', (stack) => new targets.EventBus(EventBus.fromEventBusName(stack, 'Target', 'ours'))],
    [
      'any target with the ARN of a bus',
      () => ({ bind: () => ({ arn: busArn.replace('111122223333', '999988887777') }) }),
    ],
  ])('accepts %s of its own account', (_what, targetIn) => {
    const { stack, callfeed, rules } = subscriber(busArn, '999988887777');
    callfeed.onCallRecorded(targetIn(stack));

    expect(Object.values(rules()).map(({ eventBusName, targets }) => [eventBusName, targets.length])).toEqual([
      [busArn, 1],
    ]);
  });
});

describe('forwarded events', () => {
  it.each([
    ['a new bus', undefined],
    ['a bus that exists', 'ours'],
  ])('come to %s through one rule and a role, and rules on it have any target', (_what, name) => {
    const stack = new Stack(new App(), 'Subscriber', { env: { account: '999988887777', region: 'eu-west-1' } });
    const bus = name === undefined ? {} : { bus: EventBus.fromEventBusName(stack, 'Ours', name) };
    const callfeed = new ForwardedEvents(stack, 'Callfeed', { busArn, ...bus });
    callfeed.onCallRecorded(new SqsQueue(new Queue(stack, 'Queue')), { where: { call: { status: ['not-answered'] } } });
    const template = Template.fromStack(stack);
    const local = name ?? 'Bus.Ref';

    expect(Object.values(propertiesOf(template, 'AWS::Events::Rule'))).toEqual([
      expect.objectContaining({
        EventBusName: busArn,
        EventPattern: { source: ['callfeed'] },
        Targets: [expect.objectContaining({ RoleArn: expect.anything() })],
      }),
      expect.objectContaining({ EventPattern: expect.objectContaining({ 'detail-type': ['Call Summary Recorded'] }) }),
    ]);
    const [forward, missed] = Object.values(propertiesOf(template, 'AWS::Events::Rule'));
    expect(nameOf(missed?.['EventBusName'])).toBe(local);
    expect(permissionsIn(only(template, 'AWS::IAM::Policy', 'Forward'))).toEqual([
      `events:PutEvents on ${nameOf(forward?.['Targets'][0].Arn)}`,
    ]);
  });
});

describe('several subscriptions to the same events', () => {
  type Given = readonly (string | undefined)[];
  it.each<[string, Given, readonly string[]]>([
    ['the first has the id that is deployed', [undefined], ['CallSummaryRecorded']],
    ['further ones are numbered', Array(3).fill(undefined), ['', '2', '3'].map((n) => `CallSummaryRecorded${n}`)],
    [
      'an id of its own takes no number',
      [undefined, 'Missed', undefined],
      ['', '2'].map((n) => `CallSummaryRecorded${n}`).toSpliced(1, 0, 'Missed'),
    ],
    ['nor does one without an id behind it', ['Missed', undefined], ['Missed', 'CallSummaryRecorded']],
    [
      'a number that is taken is passed over',
      ['CallSummaryRecorded2', undefined, undefined],
      ['CallSummaryRecorded2', 'CallSummaryRecorded', 'CallSummaryRecorded3'],
    ],
  ])('%s', (_what, given, expected) => {
    const { callfeed, target, rules } = subscriber();
    const made = given.map((id) => callfeed.onCallRecorded(target, id === undefined ? {} : { id }));

    expect(made.map(({ node }) => node.id)).toEqual(expected);
    expect(Object.keys(rules())).toEqual(
      expected.map((id) => expect.stringMatching(new RegExp(`^CallfeedSubscriptions${id}[0-9A-F]{8}$`))),
    );
  });

  it('have the logical id that a single one has, whatever follows', () => {
    const alone = subscriber();
    const followed = subscriber();
    alone.callfeed.onCallRecorded(alone.target);
    for (const _ of [1, 2]) followed.callfeed.onCallRecorded(followed.target);

    expect(Object.keys(followed.rules())[0]).toBe(Object.keys(alone.rules())[0]);
  });

  it('of different kinds, or of different constructs, are not numbered', () => {
    const { stack, callfeed, target } = subscriber();
    const other = new CallfeedEvents(stack, 'Other', { bus: callfeed.bus });
    const made = [callfeed.onCallRecorded(target), callfeed.onAnyEvent(target), other.onCallRecorded(target)];

    expect(made.map(({ node }) => node.id)).toEqual(['CallSummaryRecorded', 'AnyEvent', 'CallSummaryRecorded']);
  });

  it('cannot have the same id of their own', () => {
    const { callfeed, target } = subscriber();
    callfeed.onCallRecorded(target, { id: 'Missed' });

    expect(() => callfeed.onCallRevised(target, { id: 'Missed' })).toThrow(
      'Subscriber/Callfeed already has a subscription Missed: give this one another id.',
    );
  });
});

describe('where', () => {
  it('passes words, prefixes, absence, items of a list, and comparisons of numbers to EventBridge as they are', () => {
    const where: Where<CallSummaryRecorded> = {
      account: ['acme', { 'anything-but': ['demo'] }],
      call: {
        status: ['not-answered', 'unknown'],
        customerNumber: [{ prefix: '+44' }, { exists: false }],
        agentIds: ['asha'],
        comments: [{ wildcard: '*refund*' }],
        campaignName: [{ 'equals-ignore-case': 'winter' }, { 'anything-but': { prefix: 'test' } }],
        extra: { ticket: [{ exists: true }] },
      },
    };

    const pattern = patternOf((callfeed, target) => callfeed.onCallRecorded(target, { where }));
    expect(pattern).toMatchObject({ source: ['callfeed'], detail: where });
    const seconds: Where<AgentStateChanged> = {
      secondsInPreviousState: [{ numeric: ['>', 900] }, { numeric: ['>=', 5, '<', 10] }, 0],
    };
    expect(patternOf((callfeed, target) => callfeed.onAgentStateChanged(target, { where: seconds }))).toMatchObject({
      detail: seconds,
    });
  });

  it('accepts CDK’s own matchers, and fields of every event', () => {
    const where = { agentId: Match.prefix('team-a-'), replayedAt: [{ exists: false }] };

    const pattern = patternOf((callfeed, target) => callfeed.onAgentLoggedIn(target, { where }));
    expect(pattern).toMatchObject({ detail: { agentId: [{ prefix: 'team-a-' }], replayedAt: [{ exists: false }] } });
  });

  it.each<[string, (callfeed: Subscribable, target: IRuleTarget) => Rule]>([
    ['where', (callfeed, target) => callfeed.onCallRecorded(target, { where: {} })],
    ['where.call', (callfeed, target) => callfeed.onCallRecorded(target, { where: { call: { status: undefined } } })],
    ['where.call.status', (callfeed, target) => callfeed.onCallRecorded(target, { where: { call: { status: [] } } })],
  ])('is rejected when it is empty at %s', (path, subscribe) => {
    const { callfeed, target } = subscriber();

    expect(() => subscribe(callfeed, target)).toThrow(
      `${path} of subscription CallSummaryRecorded is empty and would match no event: leave it out.`,
    );
  });

  it('does not compile with an unknown field, word or matcher', () => {
    const wrong = (callfeed: Subscribable, target: IRuleTarget) => [
      // @ts-expect-error an unknown word
      callfeed.onCallRecorded(target, { where: { call: { status: ['answred'] } } }),
      // @ts-expect-error an unknown field
      callfeed.onCallRecorded(target, { where: { call: { state: ['answered'] } } }),
      // @ts-expect-error a field of another event
      callfeed.onCallRecorded(target, { where: { changedFields: ['dispositions'] } }),
      // @ts-expect-error a value without its list
      callfeed.onCallRecorded(target, { where: { call: { status: 'answered' } } }),
      // @ts-expect-error a number as text
      callfeed.onCallRevised(target, { where: { revision: ['2'] } }),
      // @ts-expect-error a comparison of text
      callfeed.onCallRevised(target, { where: { callId: [{ numeric: ['>', 5] }] } }),
      // @ts-expect-error an impossible range
      callfeed.onCallRevised(target, { where: { revision: [{ numeric: ['<', 5, '<', 9] }] } }),
      // @ts-expect-error a prefix of a closed vocabulary
      callfeed.onAgentStateChanged(target, { where: { current: { state: [{ prefix: 'in' }] } } }),
      // @ts-expect-error anything but an unknown word
      callfeed.onAgentStateChanged(target, { where: { current: { state: [{ 'anything-but': ['bussy'] }] } } }),
      // @ts-expect-error the absence of a required field
      callfeed.onAgentStateChanged(target, { where: { agentId: [{ exists: false }] } }),
      // @ts-expect-error the presence of an object, which EventBridge can only test for its fields
      callfeed.onAgentStateChanged(target, { where: { current: [{ exists: true }] } }),
      // @ts-expect-error a field of some events only
      callfeed.onAnyEvent(target, { where: { agentId: ['asha'] } }),
    ];

    expect(wrong).toBeTypeOf('function');
  });
});

it('a subscription to the construct itself adds a rule to its bus, and changes no other resource', () => {
  const [alone, subscribed] = [false, true].map((subscribes) => {
    const stack = new Stack(appFor(), 'Customer');
    const callfeed = new Callfeed(stack, 'Callfeed');
    if (subscribes) callfeed.onCallRecorded(new SqsQueue(new Queue(stack, 'Queue')));
    return Template.fromStack(stack);
  });
  const before: object = alone?.toJSON()['Resources'];
  const after: Readonly<Record<string, Properties>> = subscribed?.toJSON()['Resources'];
  const added = Object.entries(after).filter(([id]) => !Object.hasOwn(before, id));

  expect(after).toMatchObject(before);
  expect(added.map(([id]) => id)).toEqual([
    expect.stringMatching(/^CallfeedSubscriptions/),
    expect.stringMatching(/^Queue/),
    expect.stringMatching(/^QueuePolicy/),
  ]);
  expect(nameOf(added[0]?.[1]['Properties'].EventBusName)).toBe('Bus.Ref');
});
