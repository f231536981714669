import {
  CancelMessageMoveTaskCommand,
  ListMessageMoveTasksCommand,
  SQSServiceException,
  StartMessageMoveTaskCommand,
  UnsupportedOperation,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../cli/command.ts';
import { jsonLines } from '../support/cli-run.ts';
import { startRecordingsDeployment } from '../support/recordings-deployment.ts';

const deployment = await startRecordingsDeployment();
afterAll(() => deployment.stop());

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
    { queue: 'parked', ...parkedOnes },
    { queue: 'forwarded', ...parkedOnes },
    { queue: 'recordings', waiting: 1, deadLetters: 0 },
  ]);
  expect((await run('dead-letters', { connect: deployment.connect })).output).not.toContain('forwarded');
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

describe('SQS moves all dead letters of a queue', () => {
  const redrive = 'dead-letters redrive parked --json';

  /** Answers requests about tasks so, and all others as SQS. */
  const withTasks = (answer: (command: object) => object) => async () => {
    const { sqs, ...connected } = await connect();
    const isOfTask = (command: object) => command.constructor.name.includes('MessageMoveTask');
    const send = async (command: object) => (isOfTask(command) ? answer(command) : sqs.send(command as never));
    return { ...connected, sqs: { send } as never };
  };
  const refusal = (name: string) => {
    throw new SQSServiceException({ name, $fault: 'client', $metadata: {} });
  };

  it('unless a limit or a dry run is wanted', async () => {
    const receives = async (line: string) => {
      const sent: string[] = [];
      const { sqs, ...connected } = await connect();
      const send = (command: object) => {
        sent.push(command.constructor.name);
        return sqs.send(command as never);
      };
      await run(line, { connect: async () => ({ ...connected, sqs: { send } as never }) });
      return sent.includes('ReceiveMessageCommand');
    };
    expect(await receives(`${redrive} --dry-run`)).toBe(true);
    expect(await receives(`${redrive} --limit 1`)).toBe(true);
    expect(bodiesOf(parking)).toHaveLength(1);
    expect(await receives(redrive)).toBe(false);
    expect([bodiesOf(parking).toSorted(), bodiesOf(deadLetters)]).toEqual([['a', 'b', 'c'], []]);
  });

  it('and the command moves them where its credentials may not start that', async () => {
    const done = await run(redrive, { connect: withTasks(() => refusal('AccessDeniedException')) });
    expect(done).toMatchObject({ code: 0, output: '{"redriven":3}\n' });
    expect([bodiesOf(parking), bodiesOf(deadLetters)]).toEqual([['a', 'b', 'c'], []]);
  });

  it('and the command starts nothing that its credentials may not follow', async () => {
    const commands: string[] = [];
    const blind = withTasks((command) => {
      commands.push(command.constructor.name);
      return command instanceof ListMessageMoveTasksCommand ? refusal('AccessDeniedException') : {};
    });
    expect(await run(redrive, { connect: blind })).toMatchObject({ code: 0, output: '{"redriven":3}\n' });
    expect(commands).toEqual(['ListMessageMoveTasksCommand']);
  });

  it('and Ctrl-C leaves a task alone that somebody else has started', async () => {
    const stop = new AbortController();
    const commands: string[] = [];
    const theirs = withTasks((command) => {
      commands.push(command.constructor.name);
      if (command instanceof StartMessageMoveTaskCommand) {
        stop.abort();
        throw new UnsupportedOperation({ message: 'There is already a task running.', $metadata: {} });
      }
      return { Results: [{ Status: 'RUNNING', TaskHandle: 'handle', ApproximateNumberOfMessagesMoved: 5 }] };
    });
    expect(await run(redrive, { connect: theirs, interruption: () => stop.signal })).toMatchObject({
      ...{ code: 1, notes: 'Stopped following after about 5; somebody else has SQS move the rest.\n' },
    });
    expect(commands).not.toContain('CancelMessageMoveTaskCommand');
  });

  it('and the command follows a task that somebody has started', async () => {
    const states = [{ Status: 'RUNNING' }, { Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 7 }];
    const following = withTasks((command) => {
      if (command instanceof StartMessageMoveTaskCommand)
        throw new UnsupportedOperation({ message: 'There is already a task running.', $metadata: {} });
      return { Results: [states.shift()] };
    });
    expect(await run(redrive, { connect: following })).toMatchObject({ code: 0, output: '{"redriven":7}\n' });
  });

  it('and the command refuses to follow one to another queue', async () => {
    const elsewhere = withTasks((command) => {
      if (command instanceof StartMessageMoveTaskCommand)
        throw new UnsupportedOperation({ message: 'There is already a task running.', $metadata: {} });
      return { Results: [{ Status: 'RUNNING', DestinationArn: 'arn:aws:sqs:eu-west-1:1:other' }] };
    });
    expect(await run(redrive, { connect: elsewhere })).toMatchObject({
      ...{ code: 1, output: '', notes: 'SQS moves them to another queue: arn:aws:sqs:eu-west-1:1:other.\n' },
    });
  });

  it('and why it stopped is said', async () => {
    const failing = withTasks((command) =>
      command instanceof ListMessageMoveTasksCommand
        ? { Results: [{ Status: 'FAILED', ApproximateNumberOfMessagesMoved: 2, FailureReason: 'KmsAccessDenied' }] }
        : {},
    );
    expect(await run(redrive, { connect: failing })).toMatchObject({
      ...{ code: 1, output: '', notes: 'SQS moved 2, and then stopped: KmsAccessDenied.\n' },
    });
    expect(await run(redrive, { connect: withTasks(() => refusal('OverLimit')) })).toMatchObject({ code: 1 });
  });

  it('until Ctrl-C, which cancels the task', async () => {
    const stop = new AbortController();
    const cancelled: unknown[] = [];
    const running = withTasks((command) => {
      if (command instanceof CancelMessageMoveTaskCommand) cancelled.push(command.input.TaskHandle);
      if (command instanceof ListMessageMoveTasksCommand) stop.abort();
      return { Results: [{ Status: 'RUNNING', TaskHandle: 'handle', ApproximateNumberOfMessagesMoved: 5 }] };
    });
    expect(await run(redrive, { connect: running, interruption: () => stop.signal })).toMatchObject({
      ...{ code: 1, notes: 'Stopped after 5; run the command again to continue.\n' },
    });
    expect(cancelled).toEqual(['handle']);
  });

  it('also where the task ends before it can be cancelled', async () => {
    const stop = new AbortController();
    const ending = withTasks((command) => {
      if (command instanceof CancelMessageMoveTaskCommand) return refusal('ResourceNotFoundException');
      const Status = stop.signal.aborted ? 'COMPLETED' : 'RUNNING';
      if (command instanceof ListMessageMoveTasksCommand) stop.abort();
      return { Results: [{ Status, TaskHandle: 'handle', ApproximateNumberOfMessagesMoved: 3 }] };
    });
    expect(await run(redrive, { connect: ending, interruption: () => stop.signal })).toMatchObject({
      ...{ code: 0, output: '{"redriven":3}\n' },
    });
  });
});
