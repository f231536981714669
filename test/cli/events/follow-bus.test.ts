import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventLine, matchesFilter, parseBusEvent, patternFor, redactedEvent } from '../../../cli/events/bus-event.ts';
import { type FollowOptions, followBus } from '../../../cli/events/follow-bus.ts';
import { clientsOf } from '../../../cli/frame/deployment.ts';
import { missedCalls } from '../../../lib/contract/rules.ts';
import { startHttpServer } from '../../support/local-servers.ts';

interface Sent {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}
type Answer = (sent: readonly Sent[]) => unknown;

const event = '{"detail-type":"Call Summary Recorded"}';
const message = { Body: event, MessageId: 'm', ReceiptHandle: 'r' };
const usual: Readonly<Record<string, Answer>> = {
  CreateQueueCommand: () => ({ QueueUrl: 'https://sqs/follow' }),
  GetQueueAttributesCommand: () => ({ Attributes: { QueueArn: 'arn:queue' } }),
  PutRuleCommand: () => ({ RuleArn: 'arn:rule' }),
  PutTargetsCommand: () => ({ FailedEntryCount: 0 }),
  ReceiveMessageCommand: () => ({ Messages: [message] }),
};
const throws =
  (name: string, text = 'SENTINEL') =>
  () => {
    throw Object.assign(new Error(text), { name });
  };

/** Follows a bus until `count` events have come; `answers` replace what AWS answers. */
const follow = async (
  answers: Readonly<Record<string, Answer>> = {},
  count = 1,
  stop = new AbortController(),
  sqs?: FollowOptions['place']['sqs'],
) => {
  const sent: Sent[] = [];
  const [lines, notes, leftovers, resources]: [string[], string[], string[], string[]] = [[], [], [], []];
  const client = {
    async send(command: { readonly input: object }) {
      sent.push({ name: command.constructor.name, input: { ...command.input } });
      return { ...usual, ...answers }[command.constructor.name]?.(sent) ?? {};
    },
  } as never;
  const followed = followBus({
    place: { sqs: sqs ?? client, eventbridge: client, busName: 'bus', name: 'callfeed-follow-1' },
    pattern: '{"source":["callfeed"]}',
    signal: stop.signal,
    clock: () => new Date(sent.length * 3_600_000),
    note: (line) => notes.push(line),
    onResources: (all) => resources.push(all.join(', ')),
    onLeftover: (line) => leftovers.push(line),
  });
  const run = async () => {
    for await (const line of followed) {
      lines.push(line);
      if (lines.length >= count) stop.abort();
    }
  };
  const failed = await run().then(
    () => undefined,
    (error: unknown) => error,
  );
  return {
    names: sent.map(({ name }) => name.replace('Command', '')),
    sent,
    lines,
    notes,
    leftovers,
    resources,
    failed,
  };
};

const opened = ['CreateQueue', 'GetQueueAttributes', 'PutRule', 'SetQueueAttributes', 'PutTargets'];
const closed = ['RemoveTargets', 'DeleteRule', 'DeleteQueue'];

describe('followBus', () => {
  it('reads through a queue and a rule, and deletes both at the end', async () => {
    const { names, sent, lines, notes, leftovers } = await follow();
    const input = (name: string) => sent.find((one) => one.name === `${name}Command`)?.input;

    expect(names).toEqual([...opened, 'ReceiveMessage', 'DeleteMessageBatch', ...closed]);
    expect([lines, leftovers]).toEqual([[event], []]);
    expect(notes).toEqual([expect.stringMatching(/^Following/)]);
    const Rule = 'callfeed-follow-1';
    expect(input('CreateQueue')).toEqual({
      QueueName: Rule,
      Attributes: { MessageRetentionPeriod: '3600', SqsManagedSseEnabled: 'true' },
    });
    const rule = { Name: Rule, EventBusName: 'bus' };
    expect(input('PutRule')).toMatchObject({ ...rule, EventPattern: '{"source":["callfeed"]}' });
    const { Policy } = Object(input('SetQueueAttributes')?.['Attributes']);
    expect(JSON.parse(Policy).Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: 'arn:queue',
        Condition: { ArnEquals: { 'aws:SourceArn': 'arn:rule' } },
      },
    ]);
    expect(input('PutTargets')).toMatchObject({ Rule, Targets: [{ Id: 'queue', Arn: 'arn:queue' }] });
    expect(input('RemoveTargets')).toEqual({ Rule, EventBusName: 'bus', Ids: ['queue'] });
    expect(input('DeleteRule')).toEqual(rule);
    expect(input('DeleteQueue')).toEqual({ QueueUrl: 'https://sqs/follow' });
  });

  it.each([
    ['CreateQueue', []],
    ['GetQueueAttributes', ['DeleteQueue']],
    ['PutRule', ['DeleteRule', 'DeleteQueue']],
    ['SetQueueAttributes', ['DeleteRule', 'DeleteQueue']],
    ['PutTargets', closed],
    ['ReceiveMessage', closed],
    ['DeleteMessageBatch', closed],
  ])('deletes everything when %s fails', async (name, deletions) => {
    const { names, failed } = await follow({ [`${name}Command`]: throws('Odd') }, 2);

    expect(failed).toMatchObject({ name: 'Odd' });
    expect(names.slice(names.indexOf(name) + 1)).toEqual(deletions);
  });

  it.each([...opened, 'ReceiveMessage'])('deletes everything when it is interrupted at %s', async (name) => {
    const stop = new AbortController();
    const answer: Answer = (sent) => {
      stop.abort();
      return usual[`${name}Command`]?.(sent);
    };
    const { names, failed } = await follow({ [`${name}Command`]: answer }, 9, stop);

    const opposites = { PutTargets: 'RemoveTargets', PutRule: 'DeleteRule', CreateQueue: 'DeleteQueue' };
    for (const [make, remove] of Object.entries(opposites))
      if (names.includes(make)) expect(names.indexOf(remove)).toBeGreaterThan(names.indexOf(make));
    expect(failed).toBeUndefined();
    expect(names.at(-1)).toBe('DeleteQueue');
  });

  it('reports at any time which resources exist', async () => {
    const queue = 'queue callfeed-follow-1';
    const rule = 'rule callfeed-follow-1 of the bus bus';
    const target = 'target of the rule callfeed-follow-1';
    const { resources } = await follow();

    const two = `${rule}, ${queue}`;
    const three = `${target}, ${rule}, ${queue}`;
    expect(resources).toEqual([queue, two, three, two, queue, '']);
  });

  it('reports what could not be deleted, and deletes the rest', async () => {
    const denied = throws('AccessDeniedException', 'User: arn:x is not authorized to perform: events:DeleteRule');
    const missing = throws('ResourceNotFoundException');
    const { leftovers, names } = await follow({ DeleteRuleCommand: denied, RemoveTargetsCommand: missing });

    expect(names.at(-1)).toBe('DeleteQueue');
    expect(leftovers).toEqual([
      expect.stringMatching(/^The rule callfeed-follow-1 of the bus bus .*may still exist: AWS denied access/),
    ]);
  });

  it('fails when EventBridge rejects the target, or denies the use of the bus’s key', async () => {
    const rejected = await follow({ PutTargetsCommand: () => ({ FailedEntryCount: 1 }) });
    const denied = throws('AccessDeniedException', 'User: arn:x is not authorized to perform: kms:Decrypt');
    const keyless = await follow({ PutRuleCommand: denied });

    expect(rejected).toMatchObject({ lines: [], failed: { message: expect.stringMatching(/rejected the queue/) } });
    expect(rejected.names.slice(-3)).toEqual(closed);
    expect(keyless.failed).toMatchObject({
      message: expect.stringMatching(/^AWS denied access: .*kms:GenerateDataKey/),
    });
  });

  it('warns of missed events after the output was blocked for as long as the queue stores them', async () => {
    const { notes } = await follow({}, 2);

    expect(notes).toEqual([expect.stringMatching(/^Following/), expect.stringMatching(/may have been missed/)]);
  });

  it('asks a quiet queue again and again, which answers only after the wait', async () => {
    const stop = new AbortController();
    let answers = 0;
    const { url: endpoint } = await startHttpServer(async (request, response) => {
      const { WaitTimeSeconds: wait = 0 } = Object(await json(request));
      await pause(wait * 1000);
      answers += 1;
      if (answers === 2) stop.abort();
      response.end('{}');
    });
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
    const { sqs } = clientsOf({ region: 'local', credentials, endpoint });
    const queueUrl = `${endpoint}/1/queue`;
    const quiet = (command: { readonly input: object }, options?: object) =>
      command.constructor.name === 'ReceiveMessageCommand'
        ? sqs.send(command as never, options)
        : Promise.resolve({ QueueUrl: queueUrl, FailedEntryCount: 0 });

    const { failed } = await follow({}, 1, stop, { send: quiet as never });

    expect([answers, failed]).toEqual([2, undefined]);
  });
});

const busEvent = (type: string, detail: object) => {
  const found = parseBusEvent(JSON.stringify({ source: 'callfeed', 'detail-type': type, detail }));
  if (found === undefined) throw new Error('Expected an event');
  return found;
};
const at = '2026-11-21T10:00:00.000Z';

describe('an event on the bus', () => {
  const ours = { source: ['callfeed'] };
  const missedOfDemo = { account: ['demo'], call: missedCalls };
  it.each([
    ['no filter', {}, true, ours],
    ['its type', { type: ['Agent Logged In'] }, true, { ...ours, 'detail-type': ['Agent Logged In'] }],
    ['another type', { type: ['Agent Logged Out'] }, false, { ...ours, 'detail-type': ['Agent Logged Out'] }],
    ['its account', { account: 'demo' }, true, { ...ours, detail: { account: ['demo'] } }],
    ['another account', { account: 'x' }, false, { ...ours, detail: { account: ['x'] } }],
    ['a missed call of its account', { account: 'demo', missed: true }, false, { ...ours, detail: missedOfDemo }],
  ])('matches the filter and the rule’s pattern alike: %s', (_title, options, expected, pattern) => {
    const filter = { type: [], ...options };

    expect(matchesFilter(busEvent('Agent Logged In', { account: 'demo' }), filter)).toBe(expected);
    expect(JSON.parse(patternFor(filter))).toEqual(pattern);
  });

  it.each([
    ['a missed call', { status: 'not-answered', type: 'inbound' }, true],
    ['a missed call of no type', { status: 'not-answered' }, true],
    ['an answered call', { status: 'answered', type: 'inbound' }, false],
    ['an outgoing call', { status: 'not-answered', type: 'manual' }, false],
    ['no call', undefined, false],
  ])('is of a missed call if it has %s', (_title, call, expected) => {
    for (const type of ['Call Summary Recorded', 'Call Summary Revised'])
      expect(matchesFilter(busEvent(type, { account: 'demo', call }), { type: [], missed: true })).toBe(expected);
  });

  it('of a later version shows only the common fields, and is a line without undeclared words', () => {
    const known = { account: 'demo', id: 'e', occurredAt: at };
    const words = { callId: 'SENTINEL', reason: 'SENTINEL', changedFields: ['SENTINEL'] };
    const states = { call: { status: 'SENTINEL' }, current: { state: 'SENTINEL' } };

    expect(redactedEvent(busEvent('Customer Sang', { ...known, song: 'SENTINEL' })).detail).toEqual({
      ...known,
      song: '(hidden)',
    });
    expect(eventLine(busEvent('Customer Sang', { ...known, ...words, ...states }))).toBe(`${at}  demo  Customer Sang`);
  });

  it.each([
    ['Agent Feed Interrupted', { reason: 'SENTINEL' }],
    ['Call Summary Recorded', { call: { status: 'SENTINEL' } }],
    ['Agent State Changed', { previous: { state: 'SENTINEL' }, current: { state: 'SENTINEL' } }],
  ])('hides a word that a later version added: %s', (type, detail) => {
    const later = busEvent(type, { account: 'demo', occurredAt: at, ...detail });

    expect(eventLine(later)).not.toContain('SENTINEL');
    expect(JSON.stringify(redactedEvent(later))).not.toContain('SENTINEL');
  });

  it.each(['', 'torn{', '[]', '{"detail-type":"x"}', '{"detail":{}}'])('is not parsed from %j', (line) => {
    expect(parseBusEvent(line)).toBeUndefined();
  });

  const previous = { state: 'ready' };
  const current = { state: 'acw' };
  const missed = { call: { status: 'not-answered', type: 'inbound' } };
  it.each([
    [
      'Call Summary Revised',
      { callId: '1', revision: 3, changedFields: ['status'], ...missed },
      'Call Summary Revised       call 1  revision 3  changed status  missed',
    ],
    [
      'Agent State Changed',
      { agentId: 'asha', previous, current, replayedAt: at },
      `Agent State Changed        agent asha  ready → after-call work  replayed ${at}`,
    ],
    [
      'Call Summary Recorded',
      { callId: '1', source: 'report', revision: 1 },
      'Call Summary Recorded      call 1  found in the call report only',
    ],
    ['Agent Feed Restored', { revision: 'odd' }, 'Agent Feed Restored'],
    ['Agent Logged In', { agentId: 'a\u001B[2J' }, 'Agent Logged In            agent a\\u001b[2J'],
  ])('is printed in a line: %s', (type, detail, line) => {
    expect(eventLine(busEvent(type, { account: 'demo', occurredAt: at, ...detail }))).toBe(`${at}  demo  ${line}`);
  });
});
