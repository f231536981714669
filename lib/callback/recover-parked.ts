import { emitChangeMetrics, type Telemetry } from '../telemetry/metrics.ts';
import { Parked } from './parked.ts';
import { type Stores, store } from './store-or-park.ts';

/** A message of the parking queue. */
export interface ParkedMessage {
  readonly id: string;
  readonly body: string;
}

/**
 * Puts what was parked where it belongs, with the time at which it was first received. Answers the ids of the messages
 * that must come again; each fails alone. One that cannot be read ends, after its tries, among the dead letters.
 */
export const recoverParked =
  ({ telemetry, ...stores }: Stores & { readonly telemetry: Telemetry }) =>
  async (messages: readonly ParkedMessage[]): Promise<readonly string[]> => {
    const failed: string[] = [];
    for (const { id, body } of messages) {
      try {
        const outcome = await store(stores, Parked.parse(JSON.parse(body)), stores.deadline());
        telemetry.count('ParkedRecovered');
        emitChangeMetrics(telemetry, outcome === 'stored' ? 1 : 0);
      } catch (error) {
        telemetry.fault('parked-message', error);
        failed.push(id);
      }
    }
    return failed;
  };
