import * as z from 'zod';
import type { Fate } from '../../wire/wire-call.ts';
import { counted, type Finding, type GuaranteeCase } from '../guarantee-case.ts';
import { postOf, summaryOf } from '../posts.ts';
import type { Stage } from '../stage.ts';

/** What becomes of the first request to the bus. */
const onceAtBus = (stage: Stage, fate: Fate): void => {
  let isOver = false;
  stage.fail(({ service }) => {
    if (service !== 'eventbridge' || isOver) return undefined;
    isOver = true;
    return fate;
  });
};

const EventId = z.object({ id: z.string() });

const eventFollows = async (stage: Stage, callId: string, replied: string): Promise<Finding> => {
  const call = await stage.call(callId);
  const { length } = await stage.events(callId);
  const isKept = call !== undefined && length === 1;
  return { isKept, seen: `${replied}; ${call === undefined ? 'no row' : 'row'}, ${counted(length, 'event')}` };
};

/** What breaks between the row and the event. */
export const crashes: readonly GuaranteeCase[] = [
  {
    title: 'The process dies after the row: the event follows though nobody sends again',
    async try(stage, callId) {
      await stage.requestAndCrash(postOf(summaryOf(callId)));
      return eventFollows(stage, callId, 'no reply');
    },
  },
  {
    title: 'The process dies after the row: with the sender’s next try there is one event',
    async try(stage, callId) {
      const post = postOf(summaryOf(callId));
      await stage.requestAndCrash(post);
      const { status: soon } = await stage.request(post);
      if (soon === 200) return eventFollows(stage, callId, '200');
      await stage.outwait();
      const { status: later } = await stage.request(post);
      return eventFollows(stage, callId, `at once ${soon}, later ${later}`);
    },
  },
  {
    title: 'The bus refuses an entry: the event follows though nobody sends again',
    async try(stage, callId) {
      onceAtBus(stage, 'partial');
      const { status } = await stage.request(postOf(summaryOf(callId)));
      return eventFollows(stage, callId, String(status));
    },
  },
  {
    title: 'The bus refuses an entry: with the sender’s next try there is one event',
    async try(stage, callId) {
      onceAtBus(stage, 'partial');
      const post = postOf(summaryOf(callId));
      const { status: first } = await stage.request(post);
      const { status: next } = await stage.request(post);
      return eventFollows(stage, callId, `${first}, then ${next}`);
    },
  },
  {
    title: 'The bus’s answer is lost: copies of the event have the same id',
    async try(stage, callId) {
      onceAtBus(stage, 'after');
      await stage.request(postOf(summaryOf(callId)));
      const ids = (await stage.events(callId)).map(({ detail }) => EventId.safeParse(JSON.parse(detail)).data?.id);
      const isKept = ids.length > 0 && ids.every((id) => id !== undefined && id === ids[0]);
      const ofId = ids[0] === undefined ? 'no id' : `${new Set(ids).size} id`;
      return { isKept, seen: `${counted(ids.length, 'event')}, ${ofId}` };
    },
  },
];
