import type { StoredCall } from '../../peers/peer.ts';
import { counted, type GuaranteeCase } from '../guarantee-case.ts';
import { people, postOf, summaryOf } from '../posts.ts';

const second = 'https://recordings.example.com/demo/second.mp3';
const disposition = 'Sale';

const hasAll = (call: StoredCall | undefined, recordings: readonly string[]): boolean =>
  recordings.every((url) => call?.recordings.includes(url));

/** Deliveries of one call that say different things. */
export const merging: readonly GuaranteeCase[] = [
  {
    title: 'A disposition that comes later is stored and told',
    async try(stage, callId) {
      await stage.request(postOf(summaryOf(callId)));
      await stage.request(postOf(summaryOf(callId, { Disposition: disposition })));
      const call = await stage.call(callId);
      const events = await stage.events(callId);
      const isTold = events.some(({ detail }) => detail.includes(disposition));
      const seen = `${call?.disposition ?? 'not'} stored, ${isTold ? '' : 'not '}told`;
      return { isKept: call?.disposition === disposition && isTold, seen };
    },
  },
  {
    title: 'A poorer delivery after the richer one erases nothing',
    async try(stage, callId) {
      await stage.request(postOf(summaryOf(callId, { Disposition: disposition })));
      await stage.request(postOf(summaryOf(callId, { Status: 'NotAnswered', AudioFile: '' })));
      const call = await stage.call(callId);
      const isKept = call?.isAnswered === true && hasAll(call, [people.recording]) && call.disposition === disposition;
      const answered = call?.isAnswered ? 'answered' : 'not answered';
      return { isKept, seen: `${answered}, ${counted(call?.recordings.length ?? 0, 'recording')}` };
    },
  },
  {
    title: 'A second recording is added to the first',
    async try(stage, callId) {
      await stage.request(postOf(summaryOf(callId)));
      await stage.request(postOf(summaryOf(callId, { AudioFile: second })));
      const call = await stage.call(callId);
      return {
        isKept: hasAll(call, [people.recording, second]),
        seen: counted(call?.recordings.length ?? 0, 'recording'),
      };
    },
  },
  {
    title: 'An id that is a bare JSON number keeps its digits',
    async try(stage, callId) {
      const text = JSON.stringify(summaryOf(callId)).replace(`"monitorUCID":"${callId}"`, `"monitorUCID":${callId}`);
      await stage.request(postOf(text));
      const call = await stage.call(callId);
      const { length } = await stage.events(callId);
      const isKept = call !== undefined && length > 0;
      return { isKept, seen: isKept ? 'found under its id' : `not found under ${callId}` };
    },
  },
];
