import { peerAccount } from '../../peers/peer.ts';
import { counted, type GuaranteeCase } from '../guarantee-case.ts';
import { postOf, summaryOf } from '../posts.ts';
import type { Stage } from '../stage.ts';

/** A post that is to be refused by the receiver itself, as the sender's doing. */
const refused =
  (data: (callId: string) => string): GuaranteeCase['try'] =>
  async (stage: Stage, callId) => {
    const { status } = await stage.request(postOf(data(callId)));
    const isStored = (await stage.call(callId)) !== undefined;
    return {
      isKept: status >= 400 && status < 500 && !isStored,
      seen: `${status}, ${isStored ? 'stored' : 'not stored'}`,
    };
  };

const extended = (callId: string, more: string): string => `${JSON.stringify(summaryOf(callId)).slice(0, -1)},${more}}`;

/** A text as it stands within a text of JSON. */
const asInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const levels = 5_000;

/** What is not as it should be. */
export const oddities: readonly GuaranteeCase[] = [
  {
    title: 'What cannot be parsed is kept whole with its reason, without the key',
    async try(stage, callId) {
      const text = extended(callId, '"Comments":"cut in the midd').slice(0, -1);
      const { status } = await stage.request(postOf(text));
      const isWhole = (row: string) => text.split(peerAccount.key).every((part) => row.includes(asInJson(part)));
      const row = (await stage.kept()).find(isWhole);
      const isKept = row?.includes('"reason"') === true && !row.includes(peerAccount.key);
      return { isKept, seen: `${status}, ${row === undefined ? 'nowhere' : 'in quarantine'}` };
    },
  },
  {
    title: 'Of a list with a bad element the good ones are stored',
    async try(stage, callId) {
      const others = [`${callId}1`, `${callId}2`];
      const [first, last] = others.map((id) => summaryOf(id));
      const { status } = await stage.request(postOf([first, { Note: 'neither call nor participant' }, last]));
      const stored = (await Promise.all(others.map(stage.call))).filter((call) => call !== undefined).length;
      const isBadKept = (await stage.kept()).some((text) => text.includes('neither call nor participant'));
      const seen = `${status}, ${counted(stored, 'call')}, the bad one ${isBadKept ? 'kept' : 'gone'}`;
      return { isKept: stored === 2, seen };
    },
  },
  {
    title: 'A key named __proto__ is refused',
    try: refused((callId) => extended(callId, '"__proto__":{"admin":true}')),
  },
  {
    title: `${levels} levels of nesting are refused`,
    try: refused((callId) => extended(callId, `"Extra":${'['.repeat(levels)}${']'.repeat(levels)}`)),
  },
  {
    title: 'Half a megabyte is refused',
    try: refused((callId) => extended(callId, `"Comments":"${'x'.repeat(512 * 1024)}"`)),
  },
];
