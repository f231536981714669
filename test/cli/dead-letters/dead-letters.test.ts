import { text } from 'node:stream/consumers';
import { SQSServiceException } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Context } from '../../../cli/frame/command.ts';
import type { ForwardMessage } from '../../../functions/forward-deliveries/forward-delivery.ts';
import { startSharedSandbox } from '../../support/dynamodb-local.ts';
import { formOf, startHttpServer } from '../../support/local-servers.ts';
import { demoCall } from '../../support/sandbox.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { forThisFile, stubDeployment } from '../support/local-deployment.ts';
import { startRecordingsDeployment } from '../support/recordings-deployment.ts';

const deployment = await forThisFile(startRecordingsDeployment());

const { parking, deadLetters, recordings, recordingsDeadLetters } = deployment.queues;
const call = (callId: string) => JSON.stringify({ account: 'demo', callId });
const bodiesOf = (queue: typeof parking) => queue.messages().map(({ body }) => body);

/** Also forwards, with the queues of parked calls for it. */
const connect = async () => {
  const connected = await deployment.connect();
  const { parking: queue, deadLetters: dead } = connected.queues;
  return { ...connected, queues: { ...connected.queues, forwarding: { queue, deadLetters: dead } } };
};
const run = (line: string, replaced: Partial<Context> = {}) =>
  deployment.at(line.split(' ').filter(Boolean), { connect, ...replaced });

const refill = () => {
  // Nothing is hidden from other readers any more.
  deployment.advance(3_600_000);
  for (const queue of Object.values(deployment.queues))
    for (const { receipt = '' } of queue.receive(100)) queue.remove(receipt);
  for (const body of ['a', 'b', 'c']) deadLetters.send(body, {}, 0);
};
beforeEach(refill);

it('counts what waits in each queue, and its dead letters', async () => {
  recordings.send(call('801'), {}, 0);
  const parkedOnes = { waiting: 0, deadLetters: 3 };

  expect(jsonLines(await run('dead-letters --json'))).toEqual([
    { queue: 'parked', ...parkedOnes, next: 'npx callfeed dead-letters list parked' },
    { queue: 'forwarded', ...parkedOnes, next: 'npx callfeed dead-letters list forwarded' },
    { queue: 'recordings', waiting: 1, deadLetters: 0 },
  ]);
  expect((await run('dead-letters', { connect: deployment.connect })).output).not.toContain('forwarded');
});

it.each([
  ['list parked', 'npx callfeed dead-letters redrive parked'],
  ['list parked --limit 1', 'npx callfeed dead-letters redrive parked'],
  ['list forwarded --json', 'npx callfeed dead-letters redrive forwarded'],
  // There is nothing to move.
  ['list recordings --account nobody', undefined],
])('says under what it lists how to move it back: %s', async (line, command) => {
  const { notes } = await run(`dead-letters ${line}`);

  expect(/Once the cause is mended, move them back: (.*)\n/.exec(notes)?.[1]).toBe(command);
});

describe('a former name', () => {
  it.each([
    ['parked list', 'list parked', ['--json', '--limit 2 --json', '--nix']],
    ['parked redrive', 'redrive parked', ['--dry-run', '--dry-run --json', '--json', '--limit 2', '--limit 0']],
    ['forwarded list', 'list forwarded', ['', '--json']],
    ['forwarded redrive', 'redrive forwarded', ['--dry-run', '--limit 2 --json', '']],
    ['recordings list', 'list recordings', ['', '--json', '--status given-up --json']],
    ['recordings retry 801', 'redrive recordings 801', ['--dry-run --json', '--dry-run']],
  ])('%s does its work, and says its new name', async (former, present, options) => {
    for (const more of options) {
      refill();
      const now = await run(`dead-letters ${present} ${more}`);
      refill();
      const before = await run(`${former} ${more}`);
      const comparable = (output: string) => output.replaceAll(/"(?:id|oldest)":"[^"]+"|\d{4}-\S+Z/g, '');

      expect([more, before.code, comparable(before.output)]).toEqual([more, now.code, comparable(now.output)]);
      if (before.code !== 2)
        expect(before.notes).toContain(`It is now: callfeed dead-letters ${present.replace(' 801', '')}\n`);
    }
  });

  it('is in no help', async () => {
    expect((await run('--help')).output).not.toMatch(/^ {2}(?:parked|forwarded|recordings) /m);
  });
});

it.each(['list parked --account demo', 'list --status waiting', 'redrive parked --account demo', 'redrive parked 801'])(
  'refuses what is for recordings alone: %s',
  async (line) => expect((await run(`dead-letters ${line}`)).code).toBe(2),
);

it('redrives as many calls with recordings as --limit says', async () => {
  for (const id of ['801', '802', '803']) {
    await deployment.giveUp(id, `https://recordings.example.com/${id}.mp3`, 'other-host');
    recordingsDeadLetters.send(call(id), {}, 0);
  }
  const redrive = 'dead-letters redrive recordings --limit 2 --json';
  expect(jsonLines(await run(`${redrive} --dry-run`))).toEqual([{ wouldBeRetried: 2 }]);
  expect(jsonLines(await run(redrive))).toEqual([{ retried: 2, recordings: 2 }]);
  expect([bodiesOf(recordings), bodiesOf(recordingsDeadLetters)]).toEqual([[call('801'), call('802')], [call('803')]]);
});

/** Answers some requests otherwise, and notes the names of all. */
const answering = (answer: (name: string) => object | undefined) => {
  const sent: string[] = [];
  const connectSo = async () => {
    const { sqs, ...connected } = await connect();
    const send = async (command: object) => {
      const name = command.constructor.name.replace(/Command$/, '');
      sent.push(name);
      return answer(name) ?? sqs.send(command as never);
    };
    return { ...connected, sqs: { send } as never };
  };
  return { sent, connect: connectSo };
};
const refusal = (name: string): never => {
  throw new SQSServiceException({ name, $fault: 'client', $metadata: {} });
};

it('lists the dead letters also where a queue cannot be counted, and fails after them', async () => {
  const counts: (object | undefined)[] = [{ Attributes: {} }];
  const { connect } = answering((name) =>
    name === 'GetQueueAttributes' ? (counts.shift() ?? refusal('AccessDenied')) : undefined,
  );
  const { code, output, notes } = await run('dead-letters list parked --json', { connect });
  expect([code, output.trim().split('\n').length]).toEqual([1, 3]);
  expect(notes).toMatch(/^3 dead letters listed\. A queue could not be counted\. AWS denied access/);
});

describe('SQS moves all dead letters of a queue', () => {
  const redrive = 'dead-letters redrive parked --json';

  it('unless a limit or a dry run is wanted', async () => {
    for (const [more, isMoved] of [
      ['--dry-run', false],
      ['--limit 1', false],
      ['', true],
    ] as const) {
      const { sent, connect } = answering(() => undefined);
      await run(`${redrive} ${more}`, { connect });
      const asked = ['StartMessageMoveTask', 'ReceiveMessage'].map((name) => sent.includes(name));
      expect([more, ...asked]).toEqual([more, isMoved, !isMoved]);
    }
    expect([bodiesOf(parking).toSorted(), bodiesOf(deadLetters)]).toEqual([['a', 'b', 'c'], []]);
    expect((await run('dead-letters redrive parked')).output).toBe('About 0 redriven to the parking queue.\n');
  });

  it.each([
    ['GetQueueAttributes', []],
    ['ListMessageMoveTasks', []],
    ['StartMessageMoveTask', ['StartMessageMoveTask']],
  ])(
    'and the command moves them where its credentials lack %s: it starts nothing that it may not follow',
    async (denied, started) => {
      const { sent, connect } = answering((name) => (name === denied ? refusal('AccessDeniedException') : undefined));
      expect(await run(redrive, { connect })).toMatchObject({ code: 0, output: '{"redriven":3}\n' });
      expect([bodiesOf(parking), bodiesOf(deadLetters)]).toEqual([['a', 'b', 'c'], []]);
      expect(sent.filter((name) => name === 'StartMessageMoveTask')).toEqual(started);
    },
  );

  const running = { Status: 'RUNNING', TaskHandle: 'handle', ApproximateNumberOfMessagesMoved: 5 };
  const completed = { Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 7 };
  const failed = { Status: 'FAILED', ApproximateNumberOfMessagesMoved: 2, FailureReason: 'KmsAccessDenied' };
  const elsewhere = { Status: 'RUNNING', DestinationArn: 'arn:aws:sqs:eu-west-1:1:other' };
  const done = { code: 0, output: '{"redriven":7}\n' };
  const stops = (notes: string) => ({ code: 1, output: '', notes });
  const theirs = () => refusal('UnsupportedOperation');

  const interrupted = true;
  const gone = () => refusal('ResourceNotFoundException');
  const toOther = 'SQS moves them to another queue: arn:aws:sqs:eu-west-1:1:other.\n';
  const theirsGoesOn = 'Stopped following after about 5; somebody else has SQS move the rest.\n';
  const cancelled = 'Stopped after 5; run the command again to continue.\n';
  interface About {
    readonly start?: () => object;
    readonly states: readonly object[];
    readonly interrupted?: boolean;
    readonly cancel?: () => object;
  }
  it.each<readonly [title: string, about: About, expected: object]>([
    ['is followed to its end', { states: [running, completed] }, done],
    ['of somebody else is followed', { start: theirs, states: [running, completed] }, done],
    ['of somebody else goes on after Ctrl-C', { start: theirs, states: [running], interrupted }, stops(theirsGoesOn)],
    ['to another queue is refused', { start: theirs, states: [elsewhere] }, stops(toOther)],
    ['says why it failed', { states: [failed] }, stops('SQS moved 2, and then stopped: KmsAccessDenied.\n')],
    ['may be refused', { start: () => refusal('OverLimit'), states: [] }, { code: 1, output: '' }],
    ['is cancelled by Ctrl-C', { states: [running], interrupted, cancel: () => ({}) }, stops(cancelled)],
    ['may end before it is cancelled', { states: [running, completed], interrupted, cancel: gone }, done],
  ])('and the task %s', async (_title, { start, states, interrupted, cancel }, expected) => {
    const stop = new AbortController();
    // The first list is the one before the start.
    const answers = [{}, ...states];
    const { sent, connect } = answering((name) => {
      if (name === 'ListMessageMoveTasks') return { Results: [answers.shift()] };
      if (name === 'CancelMessageMoveTask') return cancel?.();
      if (name !== 'StartMessageMoveTask') return undefined;
      if (interrupted) stop.abort();
      return start?.() ?? { TaskHandle: 'handle' };
    });
    expect(await run(redrive, { connect, interruption: () => stop.signal })).toMatchObject(expected);
    expect(sent.includes('CancelMessageMoveTask')).toBe(cancel !== undefined);
    expect(sent).not.toContain('ReceiveMessage');
  });
});

it('says that SQS goes on where its task can be followed no more', async () => {
  let lists = 0;
  const { connect } = answering((name) => {
    if (name === 'ListMessageMoveTasks') return lists++ === 0 ? { Results: [] } : refusal('InternalError');
    return name === 'StartMessageMoveTask' ? { TaskHandle: 'handle' } : undefined;
  });
  const { code, notes } = await run('dead-letters redrive parked', { connect });

  expect([code, notes]).toEqual([
    1,
    expect.stringMatching(/InternalError.* SQS goes on moving them: run the command again to follow it\.\n$/),
  ]);
});

it('an address that an account gets while the sandbox runs gets its deliveries, and lists from quarantine in their order', {
  timeout: 60_000,
}, async () => {
  onTestFinished(() => void vi.useRealTimers());
  const bodies: string[] = [];
  const { url } = await startHttpServer(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  const callbackSecret = 'a-callback-secret-of-the-test';
  const account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'UTC', token: { kind: 'none' } as const };
  const sandbox = await startSharedSandbox({
    callbackSecret,
    accounts: [account, { ...account, userName: 'other', apiKeys: ['other-key'] }],
  });
  onTestFinished(() => sandbox.stop());
  const { accounts, gateway } = sandbox.addresses;
  const post = async (body: string) => {
    const answer = await fetch(`${gateway}/${callbackSecret}/callDetails`, { method: 'POST', body, headers: asForm });
    expect(answer.status).toBe(200);
  };

  // Nobody can tell whose list it is, as long as there are two accounts.
  const { Apikey: _key, UserName: _user, ...summary } = demoCall('42');
  const list = formOf([{ UCID: '42', DialStatus: 'SUCCESS', ParticipantNumber: '09000000002' }, summary]);
  await post(list);
  expect((await fetch(`${accounts}/other`, { method: 'DELETE' })).status).toBe(200);
  const body = JSON.stringify({ forwardTo: [`${url}/secret-path/callDetails?code=acme`] });
  expect((await fetch(`${accounts}/demo`, { method: 'PUT', body })).status).toBe(200);
  // By then every function has read the accounts again.
  vi.setSystemTime(Date.now() + 6 * 60_000);

  const alone = formOf(demoCall('43'));
  await post(alone);
  await expect.poll(() => bodies, { timeout: 30_000 }).toEqual([alone]);
  const redriven = await cli(['quarantine', 'redrive', '--all', '--endpoint', gateway]);
  expect(redriven.output).toMatch(/ redriven +2 +0 +0 /);
  await expect.poll(() => bodies, { timeout: 30_000 }).toEqual([alone, list]);
});
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };

it('shows dead letters of forwarding by account and address, and sends them again', async () => {
  for (const { receipt = '' } of deadLetters.receive(9)) deadLetters.remove(receipt);
  const none = '0 of about 0 dead letters listed; about 0 deliveries wait.\n';
  expect(await run('dead-letters list forwarded')).toMatchObject({ code: 0, notes: none });
  const key = { account: 'demo', callId: '42' };
  const message: ForwardMessage = { key, post: 'gone', address: 'old.example#0a1b2c3d' };
  for (const body of [JSON.stringify(message), JSON.stringify({ ...message, post: 'gone too' }), 'torn'])
    deadLetters.send(body, {}, 0);

  const oldest = expect.stringContaining('T');
  expect(jsonLines(await run('dead-letters list forwarded --json'))).toEqual([
    { account: 'demo', address: 'old.example#0a1b2c3d', calls: 1, deadLetters: 2, oldest },
    { account: 'unreadable', address: '', calls: 1, deadLetters: 1, oldest },
  ]);
  const everywhere =
    'about 0 deliveries wait for another receiver, and 3 are dead letters: see callfeed dead-letters list forwarded';
  expect((await run('status')).output).toContain(`Forwarding    ${everywhere}`);
  expect(jsonLines(await run('status --json'))).toMatchObject([{ forwarding: { waiting: 0, deadLetters: 3 } }]);
  expect((await run('verify --since 1h --no-report')).notes).toContain(`Forwarding, of any range: ${everywhere}.`);
  expect((await run('dead-letters redrive forwarded --dry-run')).output).toBe('3 can be redriven.\n');
  expect((await run('dead-letters redrive forwarded --limit 2')).output).toBe('2 redriven to the forwarding queue.\n');
  expect((await run('dead-letters list forwarded')).notes).toContain('1 of about 1 dead letters listed');
});

it.each(['list', 'redrive'])('callfeed dead-letters %s says where nothing is forwarded', async (command) => {
  const run = await cli(['dead-letters', command, 'forwarded'], { connect: async () => stubDeployment() });

  expect(run).toMatchObject({ code: 1, notes: 'This deployment forwards nothing: set forwarding to on.\n' });
});
