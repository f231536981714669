import type { Account } from '../lib/account/account.ts';
import type { Closers } from './closers.ts';
import type { OnTold } from './console/telling.ts';
import type { FaultBoard } from './faults/fault-board.ts';
import { explainPort } from './http/listen.ts';
import { startSimulator } from './simulator/index.ts';

/** How the contact centre is played. */
export interface ProviderOptions {
  readonly port: number;
  readonly traffic: boolean;
  readonly seed?: number | undefined;
  /** The receiver's base address; it may contain the callback secret. */
  readonly callbackUrl: string;
  /** The account for which calls happen. */
  readonly account: Account;
  readonly onTold: OnTold;
}

/** Starts the simulated contact centre. Resolves with its URL; rejects with a message when its port is in use. */
export const startProvider = async (options: ProviderOptions, board: FaultBoard, closers: Closers): Promise<string> => {
  const { userName, apiKeys, timeZone } = options.account;
  const [apiKey = ''] = apiKeys;

  try {
    const simulator = await startSimulator({
      ...options,
      account: { userName, apiKey, timeZone },
      fault: () => board.draw('provider'),
    });
    closers.add(simulator.stop);
    return simulator.url;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw explainPort(error, { number: options.port, flag: '--provider-port' });
  }
};
