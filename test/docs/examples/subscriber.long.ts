import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { startScript } from '../../support/sandbox.ts';
import { exampleBesideSandbox } from './support/example-project.ts';

const soon = { timeout: 60_000, interval: 50 };
const missed = { Status: 'NotAnswered', CallerID: '09000000044', AgentID: '' };
let events: readonly string[];

const { example, addresses, ...sandbox } = exampleBesideSandbox(
  'subscriber',
  { stack: 'missed-calls', context: { stage: 'prod' } },
  async ({ post, published }) => {
    await post('900000000000000001', missed);
    await post('900000000000000002');
    await post('900000000000000003', { ...missed, Type: 'Manual' });
    // Its second revision makes it a missed call, its third adds the type, and its fourth only a disposition.
    await post('900000000000000004', { ...missed, Status: '', Type: '' });
    await post('900000000000000004', { ...missed, Type: '' });
    await post('900000000000000004', missed);
    await post('900000000000000004', { ...missed, Disposition: 'Busy line' });
    events = await published(7);
  },
);

describe('the subscriber', () => {
  it('depends on the packed version', () => {
    const { dependencies } = JSON.parse(readFileSync(join(example().project, 'package.json'), 'utf8'));

    expect(dependencies.callfeed).toBe(`file:../callfeed-${manifest.version}.tgz`);
  });

  it('moves what it cannot process to its dead letters', () => sandbox.expectDeadLetters());
});

describe('the subscriber, with events of the sandbox', () => {
  const selected = () => events.filter((line) => sandbox.rulesFor(line).length > 0);

  /** A table as the stack makes it, for one test. */
  const tasksTable = async () => {
    const { name, rows: tasks } = await sandbox.newTable();
    const variables = sandbox.environment({ TASKS_TABLE: name });
    return { tasks, deliver: (bodies: readonly string[]) => example().deliver(bodies, variables) };
  };

  it('has rules that select each missed call when it is known to be one', () => {
    const details = selected().map((line) => JSON.parse(line).detail);

    expect(details.map(({ callId, revision }) => [callId, revision])).toEqual([
      ['900000000000000001', 1],
      ['900000000000000004', 2],
      ['900000000000000004', 3],
    ]);
  });

  it('selects no event by two rules', () => {
    const rules = events.map((line) => sandbox.rulesFor(line).length);

    expect(Math.max(...rules)).toBe(1);
  });

  it('logs each repeat as skipped', async () => {
    const { deliver } = await tasksTable();

    const first = await deliver([...selected(), ...events]);
    const again = await deliver(events);

    const skipped = (times: number) => Array(times).fill('repeat skipped');
    expect(first.messages.toSorted()).toEqual([...skipped(4), 'task made', 'task made']);
    expect(again.messages).toEqual(skipped(3));
  });

  it('makes one task of each missed call, whatever else comes or is repeated', async () => {
    const { deliver, tasks } = await tasksTable();

    const first = await deliver([...selected(), ...events]);
    const again = await deliver(events);

    expect([first.answer, again.answer]).toEqual([{ batchItemFailures: [] }, { batchItemFailures: [] }]);
    const made = await tasks();
    expect(made).toHaveLength(2);
    expect(made).toContainEqual({
      call: 'demo#900000000000000001',
      account: 'demo',
      callId: '900000000000000001',
      missedAt: '2026-11-21T04:32:00.000Z',
      customerNumber: '09000000044',
      expiresAt: expect.any(Number),
    });
  });

  it('returns only failed events for a retry, and logs why without their content', async () => {
    const { deliver, tasks } = await tasksTable();
    const [good = ''] = selected();
    const odd = good.replace('"not-answered"', '"SENTINEL"');

    const { answer, errors } = await deliver([good, 'SENTINEL {', odd]);

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-1' }, { itemIdentifier: 'message-2' }] });
    expect(errors).toContain('detail.call.status');
    expect(errors).not.toContain('SENTINEL');
    expect(await tasks()).toHaveLength(1);
  });

  it('runs in the sandbox until Ctrl-C', async () => {
    const environment = sandbox.environment({ SANDBOX: addresses().gateway, TASKS_TABLE: `tasks-${randomUUID()}` });
    const script = startScript(join(example().project, 'try-in-sandbox.ts'), [], environment);
    await expect.poll(script.output, soon).toContain('Waiting for missed calls');
    await sandbox.post('900000000000000009', missed);
    await expect.poll(script.output, soon).toContain('{"message":"task made","callId":"900000000000000009"}');
    script.child.kill('SIGINT');

    expect([await script.ended, script.errors()]).toEqual([0, '']);
  });
});
