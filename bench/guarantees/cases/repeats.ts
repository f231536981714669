import { counted, type GuaranteeCase } from '../guarantee-case.ts';
import { postOf, summaryOf } from '../posts.ts';

/** What comes as it should. */
export const usual: GuaranteeCase = {
  title: 'A summary is answered with 200, stored and told',
  async try(stage, callId) {
    const { status } = await stage.request(postOf(summaryOf(callId)));
    const call = await stage.call(callId);
    const { length } = await stage.events(callId);
    const isKept = status === 200 && call?.isAnswered === true && call.recordings.length === 1 && length === 1;
    return { isKept, seen: `${status}, ${counted(length, 'event')}` };
  },
};

/** What comes more than once. */
export const repeats: readonly GuaranteeCase[] = [
  {
    title: 'A summary that comes three times is one row and one event',
    async try(stage, callId) {
      for (let time = 0; time < 3; time += 1) await stage.request(postOf(summaryOf(callId)));
      const isStored = (await stage.call(callId)) !== undefined;
      const { length } = await stage.events(callId);
      return { isKept: isStored && length === 1, seen: counted(length, 'event') };
    },
  },
  {
    title: 'A summary that comes twice at once is one row and one event',
    async try(stage, callId) {
      const replies = await stage.requestTwice(postOf(summaryOf(callId)));
      const isStored = (await stage.call(callId)) !== undefined;
      const { length } = await stage.events(callId);
      const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
      return { isKept: isStored && length === 1, seen: `${counted(length, 'event')}; ${statuses.join(' and ')}` };
    },
  },
];
