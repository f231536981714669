import type { FunctionName } from '../../../functions/limits.ts';
import { dayOf, objectKeyOf, recordingIdOf } from '../../../lib/recordings/recording-keys.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { keyedDelivery, summaryWith } from '../../support/posted-records.ts';
import {
  changeOf,
  loadDeployed,
  message,
  type Part,
  postOf,
  putRow,
  queued,
  queuedDelivery,
  recordingMessage,
  type Surroundings,
  startedAt,
  type startSurroundings,
  stored,
} from './surroundings.ts';

/** What brings a function a piece of work for the first or the second time. */
export type Event = (around: Surroundings, time: number) => unknown;

export const post: Event = (_around, time) => postOf(time);
export const parked: Event = (_around, time) =>
  message({ kind: 'delivery', ...keyedDelivery(summaryWith({ monitorUCID: String(time) })) });
export const tick: Event = () => ({ Records: [{ attributes: { SentTimestamp: String(Date.now()) } }] });
export const dayOfReport: Event = (_around, time) =>
  message({ kind: 'start', account: 'demo', run: String(time), days: ['2026-11-19'] });

/** A piece of work that a function does again and again. */
export interface Work {
  readonly name: FunctionName;
  readonly down?: readonly Part[];
  readonly prepare?: (around: Surroundings) => Promise<unknown>;
  readonly event: Event;
  /** Of the answers of hosts. */
  readonly lengths?: Parameters<typeof startSurroundings>[1];
  /** What comes once it is done; undefined if nothing does. */
  readonly afterwards?: () => (around: Surroundings) => unknown;
  /** How often it comes again as long as it fails. */
  readonly rounds?: number;
}

/** Two further ticks: nobody is told whether a poll succeeded. */
const twoTicks = () => {
  let ticks = 0;
  return (around: Surroundings) => (ticks++ < 2 ? tick(around, 1) : undefined);
};

/** The steps that a reconciliation sends to itself. */
const steps =
  () =>
  ({ world }: Surroundings) => {
    const [next] = world.reconciliation.receive(1);
    if (next === undefined) return undefined;
    world.reconciliation.remove(next.receipt ?? '');
    return message(JSON.parse(next.body));
  };

/** One for each way of a function through the services that it asks. */
export const works = {
  'stores a callback': { name: 'receive-callback', event: post },
  'parks a callback': { name: 'receive-callback', event: post, down: ['table'] },
  'stores what was parked': { name: 'recover-callbacks', event: parked },
  'publishes a change': { name: 'publish-changes', event: changeOf, prepare: stored() },
  'polls the agents': { name: 'poll-agents', event: tick, afterwards: twoTicks },
  'begins a reconciliation': { name: 'reconcile-calls', event: () => message({ kind: 'all' }) },
  'reads a day of the report': { name: 'reconcile-calls', event: dayOfReport, afterwards: steps },
  'queues a delivery': { name: 'forward-deliveries', event: changeOf, prepare: stored() },
  'posts a delivery': { name: 'forward-deliveries', event: queuedDelivery, prepare: queued },
  'lets a delivery wait': {
    name: 'forward-deliveries',
    event: queuedDelivery,
    prepare: queued,
    down: ['receiver'],
    rounds: 2,
  },
  'archives a recording': { name: 'archive-recordings', event: recordingMessage, prepare: stored() },
  'lets a recording wait': {
    name: 'archive-recordings',
    event: recordingMessage,
    prepare: stored(),
    down: ['host'],
    rounds: 2,
  },
  'gives a recording up': {
    name: 'archive-recordings',
    event: recordingMessage,
    prepare: stored('elsewhere.example.com'),
  },
} as const satisfies Readonly<Record<string, Work>>;

/** As archiving leaves it. */
const archived = async (around: Surroundings) => {
  await stored()(around);
  const invoke = await loadDeployed(around, 'archive-recordings');
  await invoke(recordingMessage(around, 1));
};

const rowOf = ({ world }: Surroundings, kind: string): Row => {
  const row = world.rows('calls').find((one) => one['kind'] === kind && one['callId'] === '1');
  if (row === undefined) throw new Error(`There is no ${kind} of the call`);
  return row;
};

/** A run that was killed before it wrote that the object is there: its lease is over. */
const killed = async (around: Surroundings) => {
  await archived(around);
  const { bucket, contentType, sizeBytes, sha256, archivedAt, ...row } = rowOf(around, 'recording');
  await putRow(around, 'calls', { ...row, status: 'waiting', askAgainAt: startedAt });
};

const erased = async (around: Surroundings) => {
  await archived(around);
  await putRow(around, 'calls', { ...rowOf(around, 'call'), recordings: ['erased'] });
};

/** Somebody has written the object, and not yet its row. */
const written = async (around: Surroundings) => {
  await stored()(around);
  const url = String(rowOf(around, 'call')['recordings']);
  const key = objectKeyOf({ account: 'demo', callId: '1' }, dayOf(rowOf(around, 'call')), recordingIdOf(url));
  around.objects.put(key, { 'content-type': 'audio/mpeg' }, Buffer.alloc(10, 0xff), false);
};

/** Two parts of an upload. */
const large = { recording: 9_000_000 };

/** Ways that few runs take. */
export const rareWorks = {
  'archives a large recording': { ...works['archives a recording'], lengths: large },
  'removes the parts of a recording that is there already': {
    ...works['archives a recording'],
    prepare: written,
    lengths: large,
  },
  'finds what a killed run has archived': { ...works['archives a recording'], prepare: killed },
  'removes a recording that was erased': { ...works['archives a recording'], prepare: erased },
} as const satisfies Readonly<Record<string, Work>>;

export const allWorks = { ...works, ...rareWorks };
