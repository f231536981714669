import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clockAhead } from '../../support/packed-package.ts';
import { startScript } from '../../support/sandbox.ts';
import { exampleBesideSandbox } from './support/example-project.ts';

const soon = { timeout: 60_000, interval: 50 };
const missed = { Status: 'NotAnswered', CallerID: '09000000044', AgentID: '', Skill: 'Sales & <!channel>' };
const sent =
  'Missed call from 09000000044 for Sales &amp; &lt;!channel&gt; at 21 Nov 2026, 10:00 (Asia/Kolkata) after 120 s.';
const [call, late] = ['900000000000000001', '900000000000000002'] as const;

/** Variables by which the process that runs the handler is killed when it posts: before the chat has it, or after. */
const killed = (script: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
});
const killedBeforePost = killed(`globalThis.fetch = () => process.kill(process.pid, 'SIGKILL');`);
const killedAfterPost = killed(`const post = globalThis.fetch;
  globalThis.fetch = async (...given) => { await post(...given); process.kill(process.pid, 'SIGKILL'); };`);

/** The function's lease ends with its half a minute. */
const afterLease = clockAhead(31_000);

/** Every event of the missed calls, in order: a call, and one whose second revision shows that it was missed. */
let events: readonly string[];
let replayed: string;

const { ofType, example, addresses, published, ...sandbox } = exampleBesideSandbox(
  'missed-call-message',
  { context: { stage: 'prod' } },
  async () => {
    const post = (callId: string, changes: Readonly<Record<string, string>>) =>
      sandbox.post(callId, { ...missed, ...changes });
    const from = new Date().toISOString();
    await post(call, {});
    await published(1);
    const to = new Date().toISOString();
    const replay = ['replay', '--from', from, '--to', to, '--endpoint', addresses().gateway];
    expect(await startScript('cli/callfeed.js', replay).ended).toBe(0);
    const [, again = ''] = await published(2);
    replayed = again;
    await post(call, { Disposition: 'Busy line' });
    await post(late, { Status: '', Type: '' });
    await post(late, { Type: '' });
    await post(late, {});
    events = await published(6);
  },
);

describe('the stack of the example', () => {
  it('has dead letters', () => sandbox.expectDeadLetters());

  it('delivers a failed event again only when its lease has ended, and lets notes expire', () => {
    const [{ Timeout = 0 } = {}] = ofType('AWS::Lambda::Function');
    const visibility = ofType('AWS::SQS::Queue').flatMap(({ VisibilityTimeout }) => VisibilityTimeout ?? []);

    expect([Timeout, visibility]).toEqual([30, [180]]);
    expect(ofType('AWS::Lambda::EventSourceMapping')).toEqual([expect.objectContaining({ BatchSize: 3 })]);
    expect(ofType('AWS::DynamoDB::Table')).toEqual([
      expect.objectContaining({ TimeToLiveSpecification: { AttributeName: 'expiration', Enabled: true } }),
    ]);
  });

  it('selects each missed call when it is known to be one, and the replay of its event', () => {
    const selected = events.filter((line) => sandbox.rulesFor(line).length > 0).map((line) => JSON.parse(line).detail);

    expect(selected.map(({ callId, revision, replayedAt }) => [callId, revision, replayedAt !== undefined])).toEqual([
      [call, 1, false],
      [call, 1, true],
      [late, 2, false],
      [late, 3, false],
    ]);
  });
});

describe('the message of a missed call', () => {
  let chat: { readonly url: string; readonly close: () => void };
  let shown: string[];
  let answers: number[];
  let answerAfterMs: number;
  let table: Awaited<ReturnType<typeof sandbox.newTable>>;

  beforeEach(async () => {
    [shown, answers, answerAfterMs] = [[], [], 0];
    table = await sandbox.newTable();
    const { startChat } = await import(pathToFileURL(join(example().project, 'chat-stand-in.ts')).href);
    chat = await startChat(async (text: string) => {
      const status = answers.shift() ?? 200;
      if (status === 200) shown.push(text);
      await setTimeout(answerAfterMs);
      return status;
    });
  });
  afterEach(() => chat?.close());

  const deliver = (bodies: readonly string[], changes: Readonly<Record<string, string>> = {}) =>
    example().deliver(
      bodies,
      sandbox.environment({
        AWS_ENDPOINT_URL_SECRETS_MANAGER: chat.url,
        WEBHOOK_SECRET: 'webhook',
        NOTES_TABLE: table.name,
        ...changes,
      }),
    );
  const first = () => events[0] ?? '';
  const none = { batchItemFailures: [] };
  const failedOnce = { batchItemFailures: [{ itemIdentifier: 'message-0' }] };

  it('is sent once, though each event comes twice, the call is revised and its event replayed', async () => {
    const runs = [
      await deliver([...events, ...events]),
      await deliver(events.toReversed()),
      await deliver([replayed]),
      await deliver(events, clockAhead(18 * 24 * 60 * 60_000)),
    ];

    expect(runs.map(({ answer }) => answer)).toEqual([none, none, none, none]);
    expect(shown).toEqual([`${sent} Call ${call}.`, `${sent} Call ${late}.`]);
  });

  it('is sent by the next delivery after a kill between note and post, once the lease has ended', async () => {
    const { answer } = await deliver([first()], killedBeforePost);
    const notes = await table.rows();
    expect([answer, shown, notes.map(({ status }) => status)]).toEqual([undefined, [], ['INPROGRESS']]);

    const early = await deliver([first()]);
    expect([early.answer, shown]).toEqual([failedOnce, []]);

    const next = await deliver([first()], afterLease);
    await deliver([first(), replayed], afterLease);
    expect([next.answer, shown]).toEqual([none, [`${sent} Call ${call}.`]]);
  });

  it('comes at least once after a kill between post and note', async () => {
    await deliver([first()], killedAfterPost);
    expect(shown).toHaveLength(1);

    await deliver([first()], afterLease);
    await deliver([first()], afterLease);
    expect(shown).toHaveLength(2);
  });

  it('is sent once to a chat that answers late', async () => {
    answerAfterMs = 5_000;
    const runs = [await deliver([first()]), await deliver([first()]), await deliver([replayed])];

    expect([runs.map(({ answer }) => answer), shown]).toEqual([[none, none, none], [`${sent} Call ${call}.`]]);
  });

  it('is sent later if the chat fails, and neither address nor number is logged', async () => {
    answers = [500];
    const failed = await deliver([first(), 'SENTINEL {', replayed]);
    const again = await deliver([first()]);

    expect(failed.answer).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-0' }, { itemIdentifier: 'message-1' }],
    });
    expect([again.answer, shown]).toEqual([none, [`${sent} Call ${call}.`]]);
    expect(failed.errors).toContain('The chat answered 500.');
    for (const secret of ['a-secret-address', chat.url, '09000000044', 'SENTINEL'])
      expect(`${failed.messages}${failed.errors}${again.messages}${again.errors}`).not.toContain(secret);
  });

  it('does not tell an address that is none', async () => {
    chat.close();
    const { startChat } = await import(pathToFileURL(join(example().project, 'chat-stand-in.ts')).href);
    chat = await startChat(() => 200, 'not-an-address/a-secret-address');
    const { answer, errors } = await deliver([first()]);

    expect(answer).toEqual(failedOnce);
    expect(errors).toContain('TypeError');
    expect(errors).not.toContain('a-secret-address');
  });

  it('is shown in the sandbox, until Ctrl-C', async () => {
    const script = startScript(
      join(example().project, 'try-in-sandbox.ts'),
      [],
      sandbox.environment({ SANDBOX: addresses().gateway, NOTES_TABLE: table.name }),
    );
    await expect.poll(script.output, soon).toContain(`The chat shows: ${sent} Call ${late}.`);
    script.child.kill('SIGINT');

    expect([await script.ended, script.errors()]).toEqual([0, '']);
    expect(script.output().match(/The chat shows/g)).toHaveLength(2);
  });
});
