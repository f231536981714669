import { endOfSlot, slotOf } from '../../../lib/feed/slot.ts';
import { tableNames } from '../../../sandbox/tables.ts';
import { createPoller } from '../../costs/poller.ts';
import { simulatedFloor } from '../../costs/simulated-floor.ts';
import type { StandIn } from '../stand-in/start-stand-in.ts';
import type { Subject } from './subject.ts';
import { watchedMetering } from './watched-metering.ts';

const start = Date.parse('2040-01-02T06:00:00.000Z');

/** Polls by which the feed's row gets as long as it is on any day. */
const settling = 3;

/** Polls of floors. `onWait` is called while a poll waits for the telephony service's answer. */
export const polls = ({ dynamodb, restore }: StandIn, onWait: () => void): Subject => ({
  name: 'poll',
  counted: 'agents',
  sizes: [10, 100, 1_000, 2_000, 5_000, 10_000, 20_000],
  base: 10,
  async visit(size, measured) {
    const metering = watchedMetering(dynamodb);
    const floor = simulatedFloor(size);
    let nowMs = start;
    let answer = Buffer.from(floor.answer());

    const nextSlot = async () => {
      nowMs = endOfSlot(slotOf(new Date(nowMs)));
    };
    const newProcess = () =>
      createPoller(metering, {
        userName: 'demo',
        tableName: tableNames.agents,
        clock: () => new Date(nowMs),
        // The text comes into being while the poll runs, as it does where it comes from the network.
        answer: () => {
          onWait();
          return answer.toString();
        },
      });
    let process = newProcess();
    const poll = async () => {
      await process();
      metering.check('"PollsAnswered":1');
    };

    await measured('first floor', {
      async prepare() {
        await restore('nothing');
        await nextSlot();
        process = newProcess();
      },
      run: poll,
    });
    for (let index = 0; index < settling; index++) await nextSlot().then(poll);
    await measured('unchanged', { prepare: nextSlot, run: poll });
    await measured('10 % changed', {
      async prepare() {
        await nextSlot();
        floor.change(size / 10);
        answer = Buffer.from(floor.answer());
      },
      run: poll,
    });
    await measured('unchanged, new process', {
      async prepare() {
        await nextSlot();
        process = newProcess();
      },
      run: poll,
    });
  },
});
