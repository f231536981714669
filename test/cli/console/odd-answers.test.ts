import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { consoleApi } from '../../../cli/console/api.ts';
import { serveConsole } from '../../../cli/console/serve.ts';
import { features } from '../../../cli/features.ts';
import { archived, asked, newRecording, recordingRow } from '../../../functions/archive-recordings/recording-row.ts';
import { accountsKey, namedAccounts } from '../../../lib/accounts/account-index.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import type { Handle } from '../../../sandbox/frame/serve.ts';
import { queueAddress } from '../../../sandbox/queue/sqs-endpoint.ts';
import { accountsSecretArn, createMemoryWorld } from '../../deployment/world.ts';
import { httpApiEvent } from '../../support/local-servers.ts';
import { always, type Mood, onlyFor, type Way, ways } from '../../support/odd-answers.ts';
import { demoCall } from '../../support/sandbox.ts';
import { account, dynamodbOf } from '../support/local-deployment.ts';
import { startOddServices } from '../support/odd-aws.ts';

const now = '2026-11-20T06:00:01.000Z';
const callId = '700000000000000001';
const url = 'https://recordings.example.com/1.mp3';

/** A deployment that has an answered call with its recording, and a missed call. */
const startWorld = async () => {
  const world = createMemoryWorld({ startedAt: now, accounts: [account], accountsIn: 'secret' });
  const { receive } = world.start();
  const today = { StartTime: '2026-11-20 11:00:00', EndTime: '2026-11-20 11:01:00', CallerID: '09876512345' };
  for (const call of [
    demoCall(callId, { ...today, AudioFile: url }),
    demoCall('700000000000000002', { ...today, Status: 'NotAnswered', AgentID: '' }),
  ]) {
    const body = new URLSearchParams({ data: JSON.stringify(call) }).toString();
    await receive(httpApiEvent({ body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }));
  }
  const dynamodb = dynamodbOf(world);
  const put = (TableName: string, row: object) =>
    dynamodb.send(new PutItemCommand({ TableName, Item: marshalled({ ...row }) }));
  const about = { startedAt: now, expiresAt: 4_000_000_000 };
  const recording = asked(newRecording({ account: 'demo', callId }, url, about, now), now, now);
  const object = { bucket: 'recordings', contentType: 'audio/mpeg', sizeBytes: sound.length, sha256: '0'.repeat(64) };
  await put('calls', recordingRow(archived(recording, object, now)));
  await put('agents', { ...accountsKey, kind: 'accounts', accounts: namedAccounts([account]) });
  return { services: world.services, recordingId: recording.recordingId };
};
const sound = 'sound '.repeat(20);

const state = { addresses: { provider: 'http://provider.invalid' }, faults: { queue: { mode: 'none', rate: 0 } } };

const { services, recordingId } = await startWorld();
const handles: Readonly<Record<string, Handle>> = {
  ...services,
  s3: async () => ({ status: 200, headers: { 'content-type': 'audio/mpeg' }, body: sound }),
  sandbox: async ({ path }) =>
    path === '/_sandbox' ? { status: 200, body: JSON.stringify(state) } : { status: 200, body: '' },
};

const ofCall = `?id=${callId}`;

/** What the page asks of each address. */
const questions: Readonly<Record<string, string>> = {
  about: '',
  feed: '',
  floor: '',
  history: '',
  calls: '',
  'calls-csv': '',
  waiting: '',
  call: ofCall,
  'call-wait': '?id=700000000000000002',
  'as-sent': ofCall,
  recording: `${ofCall}&recording=${recordingId}`,
  customer: '?number=9876512345',
  agent: '?id=asha',
  'agent-now': '?id=asha',
  'agent-figures': '?id=asha',
  day: '',
  'day-csv': '',
  quarters: '',
  health: '',
  operations: '',
  quarantined: '?id=none',
  sandbox: '',
  demonstration: '',
  events: '',
};

type Said = Readonly<Record<string, string>>;

/** A console over odd services. It has read the accounts, and nothing else. */
const startConsole = async () => {
  const { server, time, connected } = await startOddServices((service) => handles[service], accountsSecretArn);
  const queue = (name: string) => queueAddress(server.url, name);
  const bus = { kind: 'sandbox', eventsAddress: `${server.url}/_events` } as const;
  const deployment = {
    ...connected(),
    bus,
    queues: { parking: queue('parking'), deadLetters: queue('dead-letters') },
    recordings: { bucket: 'recordings', queue: queue('recordings'), deadLetters: queue('recording-dead-letters') },
  };
  const settings = { deployment, location: { stack: 'any' }, isPersonal: true, features, clock: () => new Date(now) };
  const served = await serveConsole(settings, 0);
  onTestFinished(() => served.close());

  const get = (address: string) =>
    new Promise<string>((resolve, reject) => {
      const url = `${served.url}console/api/${address}${questions[address]}`;
      const asked = request(url, { agent: false }, (answer) =>
        text(answer).then(
          (body) => resolve(`${answer.statusCode} ${body}`),
          () => resolve(brokenOff),
        ),
      );
      asked.once('error', reject).end();
    });
  const ask = async (addresses: readonly string[], mood: Mood = () => undefined) => {
    server.answers(mood);
    const inVain = new Promise((resolve) => setTimeout(resolve, longestMs));
    const answers = addresses.map(
      async (address) => [address, await Promise.race([get(address), inVain.then(() => 'no answer')])] as const,
    );
    // A part of an answer may still be asked for where another part has failed: no longer than an answer takes.
    const { done } = await time.during(Promise.all([Promise.all(answers), inVain]));
    await time.quiet();
    const said: Said = Object.fromEntries(done[0]);
    return { said, open: server.open() };
  };
  await ask(['about']);
  return { ask, api: consoleApi(settings) };
};
const brokenOff = 'broken off';

/** Without what is no failure, and what ends as another of them does for those who only read. */
const {
  plainly: _plainly,
  'after a second': _soon,
  'by a reset after it has happened': _reset,
  'that it is throttled': _failed,
  ...odd
} = ways;

/** Without the address that reads the accounts anew, for which all others wait. */
const addresses = Object.keys(questions).filter((address) => address !== 'about');

/** The page hears of events as long as it is open. A bus that says nothing is a quiet one. */
const ending = (how: string) => addresses.filter((one) => one !== 'events' || !how.endsWith('silence'));

/** An answer that names the part and what is wrong with it, and has nothing of what the part said. */
const tells =
  /^(?!.*SENTINEL)(?:502 |400 |200 .*"verdict":"unknown"|200 :\n\nevent: problem\n).*(?:DynamoDB|SQS|S3|Secrets Manager|[Tt]he sandbox(?:’s bus)?) (?:did not answer in time|cannot be reached|failed with|does not answer|no longer answers|answers |rejected this: )/is;

/** An answer takes no longer, even where two requests one after the other need all their attempts. */
const longestMs = 40_000;

/** What it answers where nothing is odd. */
let usual: Said | undefined;
const differing = (said: Said, usual: Said) => Object.keys(said).filter((address) => said[address] !== usual[address]);

describe('the console', () => {
  it('is asked at each address here', async () => {
    const { api } = await startConsole();

    expect(Object.keys(questions).toSorted()).toEqual(Object.keys(api.gets).toSorted());
  });

  it.each(Object.entries<Way>(odd))(
    'tells at each address that it is answered %s, and then answers',
    async (how, way) => {
      const { ask } = await startConsole();
      const failed = await ask(ending(how), always(way));
      const about = await ask(['about'], always(way));
      const next = await ask(addresses);

      const untold = Object.entries({ ...failed.said, ...about.said }).filter(([, said]) => !tells.test(said));
      expect([untold, next.open]).toEqual([[], []]);
      usual ??= (await (await startConsole()).ask(addresses)).said;
      expect(differing(next.said, usual)).toEqual([]);
    },
  );

  it.each(['with half of its answer', 'with half of its answer, and then silence', 'never'] as const)(
    'plays no half sound as a whole one where S3 answers %s',
    async (how) => {
      const { ask } = await startConsole();
      const { said } = await ask(['recording'], onlyFor('GetObject', odd[how]));
      const next = await ask(['recording']);

      expect(said['recording']).toMatch(said['recording'] === brokenOff ? brokenOff : tells);
      expect([next.said['recording'], next.open]).toEqual([`200 ${sound}`, []]);
    },
  );
});
