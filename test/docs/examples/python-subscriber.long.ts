import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { startScript } from '../../support/sandbox.ts';
import { exampleBesideSandbox, runAgainst } from './support/example-project.ts';

const soon = { timeout: 60_000, interval: 50 };
const asked = { Disposition: 'Call back', CallerID: '09000000044' };
let events: readonly string[];

const { ofType, example, addresses, published, ...sandbox } = exampleBesideSandbox(
  'python-subscriber',
  { context: { stage: 'prod' } },
  async () => {
    await sandbox.post('12345678901234567890', asked);
    await sandbox.post('900000000000000002', { Disposition: 'Sale' });
    await sandbox.post('900000000000000003');
    await sandbox.post('900000000000000003', asked);
    await sandbox.post('900000000000000003', { ...asked, Comments: 'After five' });
    await published(5);
    const hourFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const replay = ['replay', '--from', hourFromNow(-1), '--to', hourFromNow(1), '--endpoint', addresses().gateway];
    expect(await startScript('cli/callfeed.js', replay).ended).toBe(0);
    events = await published(8);
  },
);
const selected = () => events.filter((line) => sandbox.rulesFor(line).length > 0);

const script = `
import json, logging, sys
logging.basicConfig(stream=sys.stdout, format='{"message": "%(message)s"}')
from handler import handler
print(json.dumps(handler({"Records": [{"messageId": f"message-{at}", "body": body} for at, body in enumerate(sys.argv[1:])]}, None)))`;

const module = () => join(example().project, 'node_modules/callfeed/python');

/** A table as the stack makes it, for one test. */
const followUpsTable = async () => {
  const table = await sandbox.newTable();
  return {
    ...table,
    /** Runs the handler with a batch. The last line is its answer. */
    async deliver(bodies: readonly string[]) {
      const variables = { FOLLOW_UPS_TABLE: table.name, DISPOSITION: 'Call back', PYTHONPATH: module() };
      const run = [example().project, 'python', '-c', script, ...bodies] as const;
      const { output, errors } = await runAgainst(addresses(), run, variables);
      expect(errors).toBe('');
      const lines = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return { answer: lines.at(-1), messages: lines.slice(0, -1).map(({ message }) => message), output };
    },
  };
};

describe('the subscriber in Python', () => {
  it('has the file and the module as its code, and dead letters', () => {
    const [made] = ofType('AWS::Lambda::Function');
    expect(made).toMatchObject({ Runtime: 'python3.13', Handler: 'handler.handler' });
    const asset = join(example().project, 'cdk.out', `asset.${made?.['Code'].S3Key.replace('.zip', '')}`);
    expect(readdirSync(asset, { recursive: true })).toEqual(
      expect.arrayContaining(['handler.py', 'callfeed/__init__.py', 'callfeed/rows.py']),
    );
    sandbox.expectDeadLetters();
  });

  it('has rules that select each call when it has the disposition, and the replay of its event', () => {
    const details = selected().map((line) => JSON.parse(line).detail);

    expect(details.map(({ callId, replayedAt }) => [callId, replayedAt !== undefined])).toEqual([
      ['12345678901234567890', false],
      ['900000000000000003', false],
      ['12345678901234567890', true],
    ]);
  });

  it('makes one follow-up of each call, though each event comes twice and is replayed', async () => {
    const { deliver, rows } = await followUpsTable();
    const first = await deliver(events);
    const again = await deliver(events);

    const none = { batchItemFailures: [] };
    expect([first.answer, again.answer]).toEqual([none, none]);
    expect(first.messages.filter((message) => message === 'follow-up made')).toHaveLength(2);
    expect(new Set(again.messages)).toEqual(new Set(['repeat skipped']));
    const made = await rows();
    expect(made.map(({ callId }) => callId).toSorted()).toEqual(['12345678901234567890', '900000000000000003']);
    expect(made).toContainEqual({
      ...{ call: 'demo#12345678901234567890', account: 'demo', callId: '12345678901234567890' },
      ...{ askedAt: expect.stringContaining('T'), agentIds: expect.any(Array), customerNumber: '09000000044' },
      expiresAt: expect.any(Number),
    });
  });

  it('returns only failed events for a retry, and logs why without their content', async () => {
    const { deliver, rows } = await followUpsTable();
    const [good = ''] = selected();
    const odd = good.replace('"schemaVersion":1', '"schemaVersion":2');
    const { answer, output } = await deliver([good, 'SENTINEL {', odd, good.replace('"detail":', '"SENTINEL":')]);

    expect(answer.batchItemFailures.map(({ itemIdentifier }: { itemIdentifier: string }) => itemIdentifier)).toEqual([
      ...['message-1', 'message-2', 'message-3'],
    ]);
    expect(output).toContain('message-1 failed: NotACallfeedEvent');
    expect(output).not.toMatch(/SENTINEL|09000000044/);
    expect(await rows()).toHaveLength(1);
  });

  it('runs in the sandbox until Ctrl-C', async () => {
    const { name, rows } = await followUpsTable();
    const python = startScript(
      join(example().project, 'try_in_sandbox.py'),
      [],
      sandbox.environment({
        SANDBOX: addresses().gateway,
        FOLLOW_UPS_TABLE: name,
        PYTHONPATH: module(),
        PYTHONDONTWRITEBYTECODE: '1',
      }),
      join(inject('pythonPrograms'), 'python'),
    );
    await expect.poll(rows, soon).toHaveLength(2);
    python.child.kill('SIGINT');

    expect([await python.ended, python.errors()]).toEqual([0, '']);
  });
});
