import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRecordings } from '../../../cli/verify/recordings.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { maxRecordings } from '../../../lib/telephony/recording-links.ts';
import { demoCall } from '../../support/sandbox.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { jsonLines } from '../support/cli-run.ts';
import { account } from '../support/local-deployment.ts';
import { earlierBucket, startRecordingsDeployment } from '../support/recordings-deployment.ts';

const url = (name: string) => `https://recordings.example.com/${name}.mp3`;
const customer = '09876500001';
const sent = (bodies: readonly { readonly body: string }[]) => bodies.map(({ body }) => JSON.parse(body));

let deployment: Awaited<ReturnType<typeof startRecordingsDeployment>>;
let folder: TemporaryFolder;

const post = (id: string, minute: number, others: object) =>
  deployment.post(demoCall(id, { StartTime: `2026-11-21 10:0${minute}:00`, ...others }));

beforeEach(async () => {
  deployment = await startRecordingsDeployment();
  folder = temporaryFolder('saved');
  await post('801', 1, { AudioFile: [url('801-1'), url('801-2')].join(',') });
  await post('802', 2, { AudioFile: url('802-1') });
  await post('803', 3, { AudioFile: url('803-1') });
  await post('804', 4, { AudioFile: '', AgentID: '', Status: 'NotAnswered' });
  await post('805', 5, { AudioFile: url('805-1'), CallerID: customer });
  await deployment.archive('801', url('801-1'), Buffer.from('RIFF one'));
  await deployment.giveUp('801', url('801-2'), 'not-found');
  await deployment.giveUp('803', url('803-1'), 'other-host');
});
afterEach(async () => {
  folder.remove();
  await deployment.stop();
});

const run = (...args: readonly string[]) => deployment.at(args);
const numberOfArchived = async () => {
  const rows = jsonLines(await run('recording', '801', '--json'));
  return String(rows.find(({ status }) => status === 'archived')?.['number']);
};
const list = ['dead-letters', 'list', 'recordings'];
const redrive = ['dead-letters', 'redrive', 'recordings'];
const letter = (callId: string, more: object = {}) =>
  deployment.queues.recordingsDeadLetters.send(JSON.stringify({ account: 'demo', callId, ...more }), {}, 0);
/** Has every message that a command sends go through a function, before or in place of SQS. */
const sending = async (send: (callId: string, on: () => Promise<unknown>) => Promise<unknown>) => {
  const { sqs, ...connected } = await deployment.connect();
  const through = async (command: { readonly input: { readonly MessageBody?: string } }) => {
    const on = () => sqs.send(command as never);
    const { MessageBody } = command.input;
    return MessageBody === undefined ? on() : send(JSON.parse(MessageBody).callId, on);
  };
  return { connect: async () => ({ ...connected, sqs: { send: through } as never }) };
};

describe('callfeed recording', () => {
  it('shows what became of each recording of a call', async () => {
    const rows = jsonLines(await run('recording', '801', '--json'));
    const object = { sizeBytes: 8, contentType: 'audio/wav', bucket: 'recordings', attempts: 1 };

    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(expect.objectContaining({ status: 'archived', ...object }));
    expect(rows).toContainEqual(expect.objectContaining({ status: 'given-up', reason: 'not-found' }));
    const { output } = await run('recording', '801');
    expect(output).toMatch(/given-up .* not-found: the host has no such file/);
    expect(output).not.toContain('example.com');
  });

  it('says of which recording nobody knows whether it is whole', async () => {
    await deployment.archive('802', url('802-1'), Buffer.from('RIFF'), { note: 'no-length' });

    expect(jsonLines(await run('recording', '802', '--json'))).toMatchObject([
      { status: 'archived', note: 'no-length' },
    ]);
    expect((await run('recording', '802')).output).toMatch(/archived .* no-length: its host named no length/);
  });

  it.each([
    ['a call that there is not', ['999'], /demo has no call 999/],
    ['a call without a recording', ['804'], /No delivery has a recording/],
    ['a call whose event is late', ['802'], /none was asked for yet\. .*events-late.*“callfeed archive”/],
    ['one of several', ['801', '--save', 'x'], /has 2 recordings. Name one with --number/],
    ['a number that there is not', ['801', '--url', '--number', '3'], /none with this number/],
    ['a file and a link', ['801', '--save', 'x', '--url'], /cannot be used with option/],
    ['a number without use', ['801', '--number', '1'], /--number needs --save or --url/],
    ['one that was given up', ['803', '--save', 'x'], /is given-up: the host is not in recordingHosts/],
  ])('explains %s', async (_, args, notes) => {
    expect(await run('recording', ...args)).toMatchObject({ notes: expect.stringMatching(notes), output: '' });
  });

  it('saves a recording byte for byte, and prints a link that opens it', async () => {
    const number = await numberOfArchived();
    const file = join(folder.path, 'call.wav');

    expect(await run('recording', '801', '--save', file, '--number', number)).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('RIFF one');
    const link = jsonLines(await run('recording', '801', '--url', '--number', number, '--json'))[0]?.['link'];
    expect(new URL(String(link)).searchParams.get('X-Amz-Expires')).toBe('300');
    expect(await (await fetch(String(link))).text()).toBe('RIFF one');
  });

  it('prints a link that saves the object of before, whatever type its host named', async () => {
    await deployment.archive('802', url('802-1'), Buffer.from('<svg/>'), { contentType: 'image/svg+xml' });
    const link = jsonLines(await run('recording', '802', '--url', '--json'))[0]?.['link'];
    const answer = await fetch(String(link));

    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    });
    expect(await answer.text()).toBe('<svg/>');
  });

  it('says that a file cannot be written, and leaves none behind', async () => {
    const number = await numberOfArchived();
    const { code, notes } = await run('recording', '801', '--number', number, '--save', join(folder.path, 'no/x'));
    expect([code, notes]).toEqual([1, expect.stringMatching(/cannot be written/)]);
  });
});

describe('callfeed archive', () => {
  const range = ['--from', '2026-11-21', '--to', '2026-11-22', '--rate', '100'];

  it('sends the calls of a range that may have recordings, the newest first', async () => {
    const planned = jsonLines(await run('archive', ...range, '--dry-run', '--json'));
    expect(planned).toEqual([{ wouldBeSent: 4, links: 5 }]);
    expect(deployment.queues.recordings.messages()).toEqual([]);

    const { code, output } = await run('archive', ...range);
    expect([code, output]).toEqual([0, 'Sent: 4 calls with 5 links to recordings.\n']);
    const calls = sent(deployment.queues.recordings.messages()).map(({ callId }) => callId);
    expect(calls).toEqual(['805', '803', '802', '801']);
  });

  it('names the command that goes on after an interruption, and loses no call by that', async () => {
    // At the instant of the first.
    await post('806', 5, { AudioFile: url('806-1') });
    const stop = new AbortController();
    const interrupted = await deployment.at(['archive', ...range], {
      interruption: () => stop.signal,
      terminal: { progress: () => stop.abort() },
    });
    expect(interrupted.code).toBe(1);
    const [, goOn = ''] = /To go on: npx callfeed (.*)\n$/.exec(interrupted.notes) ?? [];
    expect((await run(...goOn.split(' '))).code).toBe(0);
    const calls = sent(deployment.queues.recordings.messages()).map(({ callId }) => callId);
    expect(new Set(calls)).toEqual(new Set(['801', '802', '803', '805', '806']));
  });
});

describe('callfeed dead-letters of recordings', () => {
  it('lists what was asked for in vain, with the reason', async () => {
    const listed = await run(...list, '--json');
    const found = jsonLines(listed).map(({ callId, status, reason }) => `${callId} ${status} ${reason}`);

    expect(found.sort()).toEqual(['801 given-up not-found', '803 given-up other-host']);
    expect(listed.notes).toContain('2 recordings asked for in vain. About 0 calls in the queue, 0 dead letters.');
    expect((await run(...list, '--status', 'waiting', '--json')).output).toBe('');
    expect((await run(...list)).output).toContain('other-host: the host is not in recordingHosts');
  });

  it('asks again for what was given up: by dead letter or by list, and each once', async () => {
    // As EventBridge leaves it, if it may not send.
    const detail = { account: 'demo', callId: '801', status: 'answered' };
    deployment.queues.recordingsDeadLetters.send(JSON.stringify({ source: 'callfeed', detail }), {}, 0);
    deployment.queues.recordingsDeadLetters.send('torn', {}, 0);
    expect(jsonLines(await run(...redrive, '--dry-run', '--json'))).toEqual([{ wouldBeRetried: 2 }]);

    const { output } = await run(...redrive);
    expect(output).toBe('2 recordings of 2 calls will be asked for again.\n');
    const asked = ['801', '803'].map((callId) => ({ account: 'demo', callId }));
    expect(sent(deployment.queues.recordings.messages())).toEqual(asked);
    expect(deployment.queues.recordingsDeadLetters.messages()).toMatchObject([{ body: 'torn' }]);
    const waiting = jsonLines(await run(...list, '--status', 'waiting', '--json'));
    expect(waiting.map(({ callId, attempts }) => `${callId} ${attempts}`).sort()).toEqual(['801 0', '803 0']);
  });

  it('counts each recording once, though it is given up again at once, and leaves the letters of that', async () => {
    const letters = deployment.queues.recordingsDeadLetters;
    await deployment.giveUp('801', url('801-3'), 'other-host');
    for (const hour of ['05', '06']) letter('801', { waitingSince: `2026-11-21T${hour}:00:00.000Z` });
    const since: unknown[] = [];
    const givingUp = await sending(async (callId, on) => {
      const answer = await on();
      if (callId === '801')
        for (const one of await deployment.recordings(callId, 'waiting')) {
          since.push(one.waitingSince);
          await deployment.giveUpAgain(one);
          letter(callId, { waitingSince: one.waitingSince });
        }
      return answer;
    });
    const { output } = await deployment.at(redrive, givingUp);

    expect(output).toBe('3 recordings of 2 calls will be asked for again.\n');
    expect(letters.messages().map(({ body }) => JSON.parse(body).waitingSince)).toEqual(since);
    expect(since).toHaveLength(2);
  });

  it.each([[[]], [['801']]])('writes that recordings wait before their call is sent: %j', async (ids) => {
    letter('801');
    const waiting: number[] = [];
    const counting = await sending(async (callId, on) => {
      waiting.push((await deployment.recordings(callId, 'given-up')).length);
      return on();
    });
    await deployment.at([...redrive, ...ids], counting);

    expect(waiting).toEqual(ids.length > 0 ? [0] : [0, 0]);
  });

  it.each([
    ['a call of one of two accounts', ['801'], 0, '1 recording of 1 call', ['801'], ''],
    ['the others beside a mistyped id', ['999', '803'], 1, '1 recording of 1 call', ['803'], 'a call 999 was'],
    ['no call without a recording that was given up', ['802'], 1, '0 recordings of 0 calls', [], 'a call 802 was'],
  ])('asks again for %s', async (_, ids, code, counts, calls, notes) => {
    const accounts = async () => accountIndex([account, { ...account, userName: 'other', apiKeys: ['other-key'] }]);
    const connect = async () => ({ ...(await deployment.connect()), accounts });
    const retry = [...redrive, ...ids];
    const planned = await deployment.at([...retry, '--dry-run', '--json'], { connect });
    expect([planned.code, ...jsonLines(planned)]).toEqual([code, { wouldBeRetried: calls.length }]);

    const done = await deployment.at(retry, { connect });
    expect(done).toMatchObject({ code, output: `${counts} will be asked for again.\n` });
    expect(done.notes).toContain(notes);
    expect(sent(deployment.queues.recordings.messages())).toEqual(calls.map((callId) => ({ account: 'demo', callId })));
  });
});

describe('callfeed erase', () => {
  const callOf = async (id: string) => jsonLines(await run('call', id, '--json', '--show-personal'))[0]?.['call'];

  it('deletes the objects of the person’s calls, counted beforehand, and goes on after an interruption', async () => {
    const theirs = await deployment.archive('805', url('805-1'), Buffer.from('RIFF theirs'));
    const before = deployment.objects.list();
    const planned = jsonLines(await run('erase', '--customer', customer, '--dry-run', '--json'));
    expect(planned).toMatchObject([{ wouldBeErased: { calls: 1, recordings: 1 } }]);
    expect(deployment.objects.list()).toHaveLength(before.length);

    // Interrupted once the object is gone, and before the call is erased.
    const stop = new AbortController();
    const interrupted = await deployment.at(['erase', '--customer', customer, '--yes', '--json'], {
      interruption: () => stop.signal,
      terminal: { progress: (line) => line.endsWith('rows erased') && stop.abort() },
    });
    expect(interrupted.code).toBe(1);
    expect(deployment.objects.find(theirs)).toBeUndefined();
    expect(jsonLines(await run('erase', '--customer', customer, '--yes', '--json'))).toMatchObject([
      { erased: { calls: 1, recordings: 0 }, failed: 0 },
    ]);

    // With their MD5 and the time of their writing.
    expect(deployment.objects.list()).toEqual(before.filter(({ key }) => key !== theirs));
    expect(jsonLines(await run('recording', '805', '--json'))).toMatchObject([{ status: 'erased' }]);
    expect(await callOf('805')).toMatchObject({ recordings: ['erased'] });
  });

  it('deletes an object in the bucket of before, though a run in between could not', async () => {
    const key = await deployment.archive('805', url('805-1'), Buffer.from('RIFF theirs'), { bucket: earlierBucket });
    const erase = ['erase', '--customer', customer, '--yes'];
    // A bucket that is down ends the run. This one denies, so that the run comes to the call, which has to stay.
    const s3 = { send: () => Promise.reject(new Error('Denied')) } as never;
    const connected = await deployment.connect();
    const failed = await deployment.at(erase, { connect: async () => ({ ...connected, s3 }) });
    expect([failed.code, failed.notes]).toEqual([1, expect.stringContaining('To continue: the same command.')]);
    expect(jsonLines(await run('recording', '805', '--json'))).toMatchObject([{ status: 'erased' }]);
    expect(deployment.earlierObjects.find(key)).toBeDefined();

    expect((await run(...erase)).code).toBe(0);
    expect(deployment.earlierObjects.find(key)).toBeUndefined();
  });

  it('deletes by the bucket of each row where no recordings are archived any more', async () => {
    const links = ['807-1', '807-2', '807-3'].map(url);
    await post('807', 7, { CallerID: '09876500007', AudioFile: links.join(',') });
    const [kept = '', gone = '', never = ''] = links;
    const key = await deployment.archive('807', kept, Buffer.from('RIFF seven'), { bucket: earlierBucket });
    await deployment.archive('807', gone, Buffer.from('RIFF gone'), { bucket: 'a-bucket-that-is-gone' });
    await deployment.giveUp('807', never, 'not-found');
    const { recordings, ...off } = await deployment.connect();

    const done = await deployment.at(['erase', '--customer', '09876500007', '--yes'], { connect: async () => off });
    expect([done.code, done.output]).toEqual([0, expect.stringContaining('calls 1, recordings 3')]);
    expect(deployment.earlierObjects.find(key)).toBeUndefined();
  });

  it('leaves the recordings of an agent’s calls, unless they are to go too', async () => {
    await post('807', 7, { AgentID: 'ravi', AudioFile: url('807-1') });
    const key = await deployment.archive('807', url('807-1'), Buffer.from('RIFF seven'));
    const plan = async (...more: readonly string[]) =>
      jsonLines(await run('erase', '--agent', 'ravi', '--dry-run', '--json', ...more));
    expect(await plan()).toMatchObject([{ wouldBeErased: { calls: 1, recordings: 0 } }]);
    expect(await plan('--with-recordings')).toMatchObject([{ wouldBeErased: { calls: 1, recordings: 1 } }]);

    expect((await run('erase', '--agent', 'ravi', '--yes', '--with-recordings')).code).toBe(0);
    expect(deployment.objects.find(key)).toBeUndefined();
    expect(await callOf('807')).toMatchObject({ recordings: ['erased'] });
  });
});

describe('callfeed replay', () => {
  const replay = ['replay', '--from', '2026-11-22', '--to', '2026-11-23', '--dry-run', '--json'];
  const only = ['--type', 'Call Recording Archived'];
  it.each([
    ['one with the calls', true, [], 6],
    ['one by its type', true, only, 1],
    ['none where they are switched off', false, [], 5],
  ])('counts archived recordings: %s', async (_, isOn, types, wouldBeReplayed) => {
    const { recordings, ...off } = await deployment.connect();
    const connect = async () => (isOn ? { ...off, recordings } : off);
    const done = await deployment.at([...replay, ...types], { connect });
    expect(jsonLines(done)).toMatchObject([{ wouldBeReplayed }]);
  });
});

describe('callfeed status', () => {
  it.each(['parked', 'deadLetters', 'forwarding', 'recordings'])(
    'names %s where they alone cannot be read, shows the rest, and exits with 1',
    async (part) => {
      const { sqs, ...connected } = await deployment.connect();
      const { queues, recordings } = connected;
      const forwarding = { queue: `${queues.parking}-forwarding`, deadLetters: queues.deadLetters };
      const down = {
        parked: queues.parking,
        deadLetters: queues.deadLetters,
        forwarding: forwarding.queue,
        recordings: recordings?.queue,
      }[part];
      const send = async (command: { readonly input: { readonly QueueUrl?: string } }) => {
        const { QueueUrl } = command.input;
        if (QueueUrl === down) throw new Error('down');
        return QueueUrl === forwarding.queue ? { Attributes: {} } : sqs.send(command as never);
      };
      const connect = async () => ({ ...connected, queues: { ...queues, forwarding }, sqs: { send } as never });
      const { code, output } = await deployment.at(['status', '--json'], { connect });
      const { problems, ...shown } = JSON.parse(output);

      expect(code).toBe(1);
      expect(problems).toContainEqual(expect.objectContaining({ part }));
      expect(shown).not.toHaveProperty(part);
      expect(Object.keys(shown)).toEqual(expect.arrayContaining(['accounts', 'quarantine', 'bus']));
    },
  );
});

describe('callfeed verify', () => {
  it('looks for as many recordings of a call as are archived', async () => {
    const links = Array.from({ length: maxRecordings + 1 }, (_, index) => url(`809-${index}`));
    await deployment.post(demoCall('809', { StartTime: '2026-11-20 10:00:00', AudioFile: links.join(',') }));
    const verified = jsonLines(await run('verify', '--from', '2026-11-20', '--to', '2026-11-21', '--json'));
    const accounts = verified[0]?.['accounts'];

    expect(accounts).toMatchObject([{ recordings: { unasked: Array(maxRecordings).fill('809') } }]);
  });

  it('reads the recordings of any range: each hundred within a time limit of its own', async () => {
    const limits: unknown[] = [];
    const connected = await deployment.connect();
    const send = async (_command: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal }) => {
      limits.push(abortSignal);
      return {};
    };
    const named = Array.from({ length: 250 }, (_, index) => ({
      account: 'demo',
      callId: String(index),
      recordingId: `r${index}`,
      listedAt: '2026-11-21T05:00:00.000Z',
    }));

    const found = await findRecordings({ ...connected, dynamodb: { send } as never }, named);
    expect(found).toMatchObject({ unasked: named });
    expect(new Set(limits).size).toBe(3);
    expect(limits).not.toContain(undefined);
  });

  it('says which recordings are not there yet or were not asked for, and what was given up', async () => {
    const verify = ['verify', '--from', '2026-11-21', '--to', '2026-11-22'];
    const accounts = jsonLines(await run(...verify, '--json'))[0]?.['accounts'];
    expect(accounts).toMatchObject([{ recordings: { archived: 1, waiting: [], givenUp: 2 } }]);
    expect(Object(accounts)[0].recordings.unasked.toSorted()).toEqual(['802', '805']);

    const { output, notes } = await run(...verify);
    expect(output).toContain('Not proven: 2 recordings not asked for yet.');
    const mend = '--from 2026-11-21T04:32:00.000Z --to 2026-11-21T04:35:00.001Z --account demo';
    expect(output).toContain(`To mend it: npx callfeed archive ${mend}`);
    const given = '1 archived. 2 given up, with reasons: “callfeed dead-letters list recordings”.';
    expect(notes).toContain(`Recordings of demo: ${given}`);
  });

  it('names the command that mends calls of before the range that were recorded in it', async () => {
    const file = join(folder.path, 'events.jsonl');
    const events = ['801', '802', '803', '804', '805'].map((callId) => ({ account: 'demo', callId, revision: 1 }));
    writeFileSync(file, events.map((event) => JSON.stringify(event)).join('\n'));
    const verify = ['verify', '--from', '2026-11-22', '--to', '2026-11-22T09:30:00Z', '--events', file];
    const later = () => deployment.at(verify, { clock: () => new Date(deployment.now() + 3_600_000) });
    const found = await later();
    expect([found.code, found.output]).toEqual([1, expect.stringContaining('\nNot proven: 2 recordings not asked')]);

    const [, mend = ''] = /To mend it: npx callfeed (archive .*)/.exec(found.output) ?? [];
    expect((await run(...mend.split(' '))).code).toBe(0);
    const asked = sent(deployment.queues.recordings.messages()).map(({ callId }) => callId);
    expect(asked).toEqual(['805', '803', '802']);
    for (const id of ['802', '805']) await deployment.archive(id, url(`${id}-1`), Buffer.from('RIFF'));
    expect(await later()).toMatchObject({ code: 0, output: expect.stringContaining('Proven: 5 calls') });
  });
});
