import { faultNames } from '../../sandbox/faults/fault.ts';
import type { SandboxChild } from '../sandbox/sandbox-child.ts';
import { until } from '../sandbox/until.ts';
import type { Sender } from './sender.ts';
import { setFault } from './set-fault.ts';

const patienceMilliseconds = 180_000;
const tellMilliseconds = 2_000;

/** How long no event may come until it is believed that none will. */
const quietMilliseconds = 1_000;

/**
 * Lifts all faults and waits until everything that was posted is answered, nothing is parked and no event comes any
 * more. Rejects if that does not happen.
 */
export const settle = async (
  child: SandboxChild,
  sender: Sender,
  onProgress: (line: string) => void,
): Promise<void> => {
  for (const name of faultNames) await setFault(child, name, { mode: 'none', rate: 1 });

  let quietSince = Date.now();
  let toldAt = 0;
  let known = -1;
  const isSettled = async (): Promise<boolean> => {
    await sender.resend();
    const { underway, again } = sender.open();
    const { parked, events } = await child.state();
    if (parked + underway + again > 0 || events !== known) quietSince = Date.now();
    known = events;
    if (Date.now() - toldAt > tellMilliseconds) {
      onProgress(`${again} to send again, ${parked} parked, ${events} events`);
      toldAt = Date.now();
    }
    return Date.now() - quietSince > quietMilliseconds;
  };
  await until('all that was posted to be stored and told', isSettled, patienceMilliseconds);
};
