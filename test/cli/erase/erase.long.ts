import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoAccount } from '../../../sandbox/aws/sandbox-options.ts';
import { createSimulatedCentre } from '../../../sandbox/simulator/centre.ts';
import type { Post } from '../../../sandbox/simulator/posts.ts';
import { fork, seededRandom } from '../../../sandbox/simulator/random.ts';
import { simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { allRows as rowsIn } from '../../support/dynamodb-local.ts';
import { decompressed } from '../../support/posted-records.ts';
import { demoCall } from '../../support/sandbox.ts';
import { jsonLines } from '../support/cli-run.ts';
import { sandboxForThisFile } from '../support/local-deployment.ts';

const logs: string[] = [];
const {
  addresses,
  dynamodb,
  eventLines: events,
  ...sandbox
} = await sandboxForThisFile({
  onLog: (line) => logs.push(line),
  onFunctionOutput: (_name, text) => logs.push(text),
});
const at = (...args: readonly string[]) => sandbox.at(args);

const send = async ({ body, contentType, query }: Pick<Post, 'body' | 'contentType' | 'query'>) => {
  const url = `${addresses.callbacks}${query === '' ? '' : `?${query}`}`;
  return (await fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body })).json();
};
const json = (body: string) => ({ body, contentType: 'application/json', query: '' });

/** Every row by its key, with what is compressed in it readable. */
const allRows = async () => {
  const rows = new Map<string, string>();
  for (const TableName of ['callfeed-calls', 'callfeed-agents', 'callfeed-quarantine'])
    for (const { pk = '', sk = '', id = '', ...row } of await rowsIn(dynamodb, TableName))
      rows.set(`${TableName} ${pk} ${sk} ${id}`, decompressed(JSON.stringify(row)));
  return rows;
};

/** Whether a text has the digits of a number, whatever is between them: not the way in which the command searches. */
const hasDigits = (text: string, digits: string) => text.replace(/[\s().+-]|%2\w/g, '').includes(digits);

/** The posts of a day, one call every 24 minutes, with all quirks. */
const simulatedDay = () => {
  const random = seededRandom(20_261_121);
  const starts = Array.from({ length: 60 }, (_, index) => Date.parse('2026-11-20T18:30:00Z') + index * 1_440_000);
  return starts.map((start) =>
    simulatedCall(fork(random), start, createSimulatedCentre(fork(random), 20), demoAccount),
  );
};

/** Everywhere else that the number can be: each is posted once, by a known sender. */
const everywhere = (digits: string) => {
  const call = (id: string, changes: object) => ({ ...demoCall(id), ...changes });
  const spellings = [
    `+44${digits}`,
    `0${digits}`,
    digits,
    `+44 ${digits.slice(0, 4)}-${digits.slice(4)}`,
    `0044${digits}`,
  ];
  const padding = Array.from({ length: 90_000 }, (_, index) => index).join(' ');
  const records: readonly object[] = [
    ...spellings.map((CallerID, index) =>
      call(`90000000000000000${index}`, { CallerID, AudioFile: 'https://x/SENTINEL.mp3' }),
    ),
    call('900000000000000010', { TransferredTo: `0${digits}`, Comments: `SENTINEL, ${digits}` }),
    [
      call('900000000000000011', { CallerID: '0811' }),
      { UCID: '900000000000000011', ParticipantNumber: `+44${digits}`, Audio: 'https://x/SENTINEL.mp3' },
      {
        UCID: '900000000000000011',
        AgentName: 'Asha',
        Audio: 'https://x/SENTINEL.mp3',
        StartTime: '2026-11-21 10:00:00',
      },
    ],
    call('900000000000000012', { Email: 'SENTINEL@example.com', [`tel ${digits}`]: 1, AgentPhoneNumber: digits }),
    { Apikey: 'demo-key', screenPop: `0${digits}` },
    { Apikey: 'demo-key', screenPop: `0${digits}`, padding },
    [
      { Apikey: 'demo-key', odd: `0${digits}` },
      { Apikey: 'demo-key', odd: 'stays' },
    ],
  ];
  return [
    ...records.map((record) => json(JSON.stringify(record))),
    json(`{"Apikey":"demo-key","CallerID":"0${digits}`),
    json(`{"Apikey":"demo-key","CallerID":"0${digits}","padding":"${padding}`),
  ];
};

/** The sum of all revisions: each of them is one event. */
const revisionsIn = (rows: ReadonlyMap<string, string>) =>
  [...rows]
    .filter(([key]) => !key.includes('#agents '))
    .reduce((sum, [, row]) => sum + Number(/"revision":(\d+)/.exec(row)?.[1] ?? 0), 0);

const published = async (count: number) =>
  expect.poll(async () => (await events()).length, { timeout: 60_000 }).toBe(count);

/** What has to stay of a row that named the person. */
const counted =
  /"(?:status|type|startedAt|endedAt|callDurationSeconds|elapsedSeconds|listedAt|receivedAt|id|account|reason)":[^,}]*/g;

const expectErased = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, digits: string) => {
  const named = [...before].filter(([, row]) => hasDigits(row, digits));
  const others = [...before].filter(([, row]) => !hasDigits(row, digits));
  const calls = new Set(named.map(([key]) => key.split(' ')[1]));
  const ofOtherCalls = others.filter(([key]) => !calls.has(key.split(' ')[1]?.replace('#agents', '')));
  const all = [...after].map(([key, row]) => `${key} ${row}`);

  expect(ofOtherCalls.length).toBeGreaterThan(60);
  expect(all.filter((row) => hasDigits(row, digits) || row.includes('SENTINEL'))).toEqual([]);
  expect(all.some((row) => row.includes('stays'))).toBe(true);
  for (const [key, row] of ofOtherCalls) expect(after.get(key), key).toBe(row);
  for (const [key, row] of named)
    expect(after.get(key)?.match(counted)?.sort(), key).toEqual(row.match(counted)?.sort());
};

describe('callfeed erase', () => {
  it('leaves nothing of a customer after a simulated day, and everything else byte for byte', async () => {
    const day = simulatedDay();
    const digits = (day.flatMap(({ calls }) => calls)[40]?.customer ?? '').replace(/^44/, '');
    const persons = everywhere(digits);
    for (const post of [...day.flatMap(({ posts }) => posts), ...persons]) await send(post);
    const before = await allRows();
    await published(revisionsIn(before));

    const planned = await at('erase', '--customer', `0044${digits}`, '--dry-run', '--json');
    expect(await allRows()).toEqual(before);
    const done = await at('erase', '--customer', `+44 ${digits}`, '--yes', '--json');
    const { startedAt, ...result } = JSON.parse(done.output);
    expect(result).toMatchObject({ person: 'customer', erased: result.found, failed: 0 });
    expect(JSON.parse(planned.output).wouldBeErased).toEqual(result.found);
    expect(result.found.calls).toBeGreaterThanOrEqual(10);
    expect(result.found.quarantine).toBe(5);

    const after = await allRows();
    expect([...after.keys()].filter((key) => !before.has(key))).toEqual([`callfeed-calls erasure ${startedAt} `]);
    expectErased(before, after, digits);

    // Neither the events of the erasure, nor a repeat of what was sent, a correction or a replay brings the person back.
    await published(revisionsIn(after));
    for (const post of persons.slice(0, -1)) await send(post);
    const range = ['--from', '2026-11-01', '--to', '2100-01-01'];
    expect((await at('renormalise', ...range)).notes).toMatch(/ 0 rows revised\.$/m);
    expect(await allRows()).toEqual(after);
    const state = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'state.json');
    const { replayed } = JSON.parse(
      (await at('replay', ...range, '--rate', '1000', '--state', state, '--json')).output,
    );
    await published(revisionsIn(after) + replayed);
    for (const event of (await events()).slice(revisionsIn(before)))
      expect(hasDigits(event, digits), event).toBe(false);

    const ids = jsonLines(await at('quarantine', 'list', '--json')).map(({ id }) => String(id));
    const answers = [
      done,
      await at('calls', '--json', '--show-personal'),
      ...(await Promise.all(ids.map((id) => at('quarantine', 'show', id, '--show-personal')))),
      ...(await Promise.all(['00', '10', '11', '12'].map((id) => at('call', `9000000000000000${id}`, '--as-sent')))),
    ];
    for (const { code, output, notes } of answers)
      expect([code, hasDigits(output + notes, digits)]).toEqual([0, false]);
    expect(logs.filter((line) => hasDigits(line, digits))).toEqual([]);
    expect((await at('erase', '--customer', digits, '--yes')).output).toBe('Would be erased: 0 rows.\n');
  }, 180_000);
});
