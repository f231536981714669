import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { crashes } from '../../../bench/guarantees/cases/crashes.ts';
import { merging } from '../../../bench/guarantees/cases/merging.ts';
import { oddities } from '../../../bench/guarantees/cases/oddities.ts';
import { repeats, usual } from '../../../bench/guarantees/cases/repeats.ts';
import { strangers } from '../../../bench/guarantees/cases/strangers.ts';
import { type Findings, tryPeer } from '../../../bench/guarantees/try-peer.ts';
import { bundledPeers } from '../../../bench/peers/bundled-peers.ts';
import { peers } from '../../../bench/peers/peers.ts';
import { withTemporaryFolder } from '../../../bench/temporary-folder.ts';
import { dynamodbEndpoint } from '../../support/sandbox-dynamodb.ts';

/** One of each kind; none kills a process or needs a second one, which takes longer. */
const quick = [
  usual,
  ...repeats.slice(0, 1),
  ...merging,
  ...crashes.slice(2, 3),
  ...oddities.slice(0, 1),
  ...strangers,
];

let findings: ReadonlyMap<string, Findings>;

beforeAll(async () => {
  const endpoint = await dynamodbEndpoint();
  findings = await withTemporaryFolder(async (folder) => {
    const bundles = await bundledPeers(folder, { prefix: `test-${randomUUID()}` });
    const tried = bundles.map(async (bundled) => [bundled.peer.name, await tryPeer(bundled, quick, endpoint)] as const);
    const all = new Map(await Promise.all(tried));
    for (const bundled of bundles.slice(0, 1))
      all.set('unpublished', await tryPeer({ ...bundled, publisher: undefined }, [usual], endpoint));
    return all;
  });
});

const keptTitles = (name: string): readonly string[] => {
  const found = findings.get(name) ?? new Map();
  return [...found].filter(([, { isKept }]) => isKept).map(([title]) => title);
};

const brokenTitles = (name: string): readonly string[] => {
  const found = findings.get(name) ?? new Map();
  return [...found].filter(([, { isKept }]) => !isKept).map(([title]) => title);
};

describe('the fault cases', () => {
  it('find nothing broken in ours', () => {
    expect(brokenTitles('callfeed')).toEqual([]);
    expect(keptTitles('callfeed')).toHaveLength(quick.length + 2);
  });

  it.each(peers)('find that $name does the usual', ({ name }) => {
    expect(keptTitles(name)).toContain(usual.title);
  });

  it('find it broken where our publisher does not run', () => {
    expect(brokenTitles('unpublished')).toContain(usual.title);
  });

  it('find in the plain receiver what it does not do', () => {
    expect(brokenTitles('plain')).toEqual([
      'A summary that comes three times is one row and one event',
      'A poorer delivery after the richer one erases nothing',
      'A second recording is added to the first',
      'An id that is a bare JSON number keeps its digits',
      'The bus refuses an entry: the event follows though nobody sends again',
      'What cannot be parsed is kept whole with its reason, without the key',
    ]);
  });

  it('find that idempotency keeps repeats from being told', () => {
    expect(brokenTitles('powertools')).not.toContain('A summary that comes three times is one row and one event');
    expect(brokenTitles('powertools')).toContain('A poorer delivery after the richer one erases nothing');
  });
});
