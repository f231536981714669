import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { QuarantineEntry } from '../../lib/callback/schema.ts';
import { quarantineRow } from '../../lib/callback/store-or-park.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { isFull } from '../faults/property.ts';
import { allRows } from '../support/dynamodb-local.ts';
import { decompressed } from '../support/posted-records.ts';
import { demoCall } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Disturbance, disturbances, disturbedRun, isKill } from './support/disturbed-run.ts';
import { startRecordingsDeployment } from './support/recordings-deployment.ts';

const url = (name: string) => `https://recordings.example.com/${name}.mp3`;
const customer = '09876500001';
const receivedAt = '2026-11-21T04:30:00.000Z';

type Started = Awaited<ReturnType<typeof startRecordingsDeployment>> & { readonly folder: string };

/** Two calls of a customer and an agent with recordings, what quarantine and the agents' table have of them, and dead letters. */
const prepared = async (): Promise<Started> => {
  const deployment = await startRecordingsDeployment();
  const folder = temporaryFolder('left');
  onTestFinished(async () => {
    folder.remove();
    await deployment.stop();
  });
  const { post, put, archive, giveUp, queues } = deployment;
  for (const [minute, id] of ['801', '802'].entries()) {
    const about = { CallerID: customer, AgentID: 'asha -> ravi', AgentName: 'Asha Rao', AudioFile: url(id) };
    await post(demoCall(id, { ...about, StartTime: `2026-11-21 10:0${minute}:00` }));
  }
  await archive('801', url('801'), Buffer.from('RIFF one'));
  await giveUp('802', url('802'), 'not-found');
  for (const id of ['901', '902'])
    await put('quarantine', quarantined(JSON.stringify({ ...demoCall(id), CallerID: customer })));
  const interval = { kind: 'interval', account: 'demo', agentId: 'asha', seconds: 60 };
  await put('agents', { pk: 'demo#agent#asha', sk: receivedAt, ...interval });
  for (const queue of [queues.deadLetters, queues.recordingsDeadLetters])
    for (const callId of ['801', '802']) queue.send(JSON.stringify({ account: 'demo', callId }), {}, 0);
  return { ...deployment, folder: folder.path };
};

const quarantined = (body: string) =>
  quarantineRow({ reason: 'not-a-call-summary', account: 'demo', body, receivedAt } as QuarantineEntry, 30);

const range = '--from 2026-11-20 --to 2026-11-23';

/** Commands that write, and what goes on with one that was interrupted, if that is not the same again. */
const commands: Readonly<
  Record<string, { readonly line: (in_: Started) => string; readonly goOn?: (in_: Started) => string }>
> = {
  'dead-letters redrive parked': { line: () => 'dead-letters redrive parked' },
  'dead-letters redrive parked --limit': { line: () => 'dead-letters redrive parked --limit 9' },
  'dead-letters redrive recordings': { line: () => 'dead-letters redrive recordings' },
  'quarantine redrive --all': { line: () => 'quarantine redrive --all' },
  'quarantine dismiss --all': { line: () => 'quarantine dismiss --all --reason not-a-call-summary --because Mended' },
  archive: { line: () => `archive ${range} --rate 100` },
  renormalise: { line: () => `renormalise ${range}` },
  replay: {
    line: ({ folder }) => `replay ${range} --account demo --rate 1000 --state ${join(folder, 'replay.json')}`,
    goOn: (started) =>
      existsSync(join(started.folder, 'replay.json'))
        ? `replay --resume ${join(started.folder, 'replay.json')}`
        : `replay ${range} --account demo --rate 1000 --state ${join(started.folder, 'replay.json')}`,
  },
  'recording --save': { line: ({ folder }) => `recording 801 --save ${join(folder, 'call.wav')}` },
  'erase --customer': { line: () => `erase --customer ${customer} --yes` },
  'erase --agent': { line: () => 'erase --agent asha --as erased-1a2b3c4d --with-recordings --yes' },
};

/** Whatever time decides, and how often something was written. The record of an erasure says when it began. */
const comparable = ({ version, ...row }: Row): string =>
  decompressed(JSON.stringify(row)).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');

const stateOf = async ({ tables, queues, objects, folder, now }: Started) => {
  const rows: string[] = [];
  const marks = new Set<unknown>();
  for (const name of Object.values(tables.tableNames))
    for (const row of await allRows(tables.client, name)) {
      if (row['replayedAt'] !== undefined) marks.add(row['replayedAt']);
      if (row['kind'] !== 'erasure') rows.push(comparable(row));
    }
  const bodies = Object.entries(queues).map(([name, queue]) => [
    name,
    [...new Set(queue.messages().map(({ body }) => body))].toSorted(),
  ]);
  const hidden = Object.values(queues).flatMap((queue) =>
    queue.messages().filter(({ visibleAt }) => visibleAt > now()),
  );
  return {
    rows: rows.toSorted(),
    marks: marks.size,
    queues: Object.fromEntries(bodies),
    objects: objects.list().map(({ key }) => key),
    openUploads: objects.openUploads(),
    files: readdirSync(folder),
    hidden: hidden.length,
  };
};

const run = (started: Started, text: string, nth?: number, how?: Disturbance) =>
  disturbedRun(text.split(' '), started.connect, {
    clock: () => new Date(started.now()),
    ...(nth !== undefined && how !== undefined && { nth, how }),
  });

const isRead = (call: string): boolean => /^(?:BatchGet|Get|Head|List|Query|Scan)/.test(call);

/**
 * Which calls are disturbed: each call that writes in one of the ways, and a fifth of those that read, as they are many. All reads
 * of objects, which are few, and with FAULTS=full all calls are disturbed in every way.
 */
const isTried = (call: string, nth: number, how: Disturbance): boolean => {
  if (isFull || call === 'GetObjectCommand') return true;
  const turn = isRead(call) ? nth / disturbances.length : nth;
  return disturbances[turn % disturbances.length] === how;
};

interface Undisturbed {
  readonly end: Awaited<ReturnType<typeof stateOf>>;
  readonly code: number | undefined;
}

/** What an error leaves: no letter is hidden, and each file that is there is the command's result, or named by it. */
const leftByError = async (
  started: Started,
  { done }: Awaited<ReturnType<typeof run>>,
  { end, code }: Undisturbed,
): Promise<readonly unknown[]> => {
  const { hidden, files } = await stateOf(started);
  const isDone = done?.code === code;
  const isExpected = (file: string) => (isDone ? end.files.includes(file) : done?.notes.includes(file));
  return [...(hidden > 0 ? [`${hidden} letters are hidden`] : []), ...files.filter((file) => !isExpected(file))];
};

describe.each(Object.entries(commands))('callfeed %s', (_name, { line, goOn = line }) => {
  it.each(disturbances)('comes to the same end where a call to AWS %s, and it is run again', async (how) => {
    const undisturbed = await prepared();
    const { calls, done } = await run(undisturbed, line(undisturbed));
    const usual = { end: await stateOf(undisturbed), code: done?.code };
    for (const [nth, call] of calls.entries()) {
      if (!isTried(call, nth, how)) continue;
      const started = await prepared();
      const disturbed = await run(started, line(started), nth, how);
      // Nobody knows the receipts of an answer that is lost.
      const isLost = how.startsWith('fails ') && call === 'ReceiveMessageCommand';
      const mayHide = isKill(how) || isLost || call === 'ChangeMessageVisibilityCommand';
      const left = mayHide ? [] : await leftByError(started, disturbed, usual);
      // What a killed command has hidden comes back.
      started.advance(120_000);
      if (disturbed.done?.code !== usual.code) await run(started, goOn(started));

      const at = `${call}, call ${nth}`;
      expect([at, left]).toEqual([at, []]);
      expect([at, await stateOf(started)]).toEqual([at, usual.end]);
    }
  });
});
