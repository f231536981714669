import type { Account } from '../lib/accounts/accounts.ts';
import type { AccountList } from './account-routes.ts';
import type { Closers } from './closers.ts';
import type { OnLogLine } from './console-log.ts';
import type { FaultBoard, FaultState } from './faults.ts';
import { demoAccount, type SandboxOptions } from './sandbox-options.ts';
import { startSimulator } from './simulator/index.ts';
import type { CallbackFault } from './simulator/outbox.ts';

interface ProviderOptions extends Pick<SandboxOptions, 'provider' | 'providerPort' | 'traffic'> {
  /** The receiver's base address; it may contain the callback secret. */
  readonly callbackUrl: string;
  readonly accounts: readonly Account[];
  readonly onLog: OnLogLine;
}

const callbackShares = ({ mode, rate }: FaultState['callbacks']): CallbackFault => ({
  lost: mode === 'lose' || mode === 'both' ? rate : 0,
  poorer: mode === 'poorer' || mode === 'both' ? rate : 0,
});

/**
 * Starts the simulated contact centre, unless a real one is given. Rejects with a message if its port is in use. `service`
 * has the accounts of the simulated service.
 */
export const startProvider = async (options: ProviderOptions, board: FaultBoard, closers: Closers) => {
  if (options.provider !== undefined) return { url: options.provider };

  const { callbackUrl, traffic, onLog, accounts, providerPort: port } = options;
  const [first = demoAccount, ...others] = accounts;
  const simulator = await startSimulator({
    port,
    callbackUrl,
    traffic,
    onLog,
    accounts: [first, ...others],
    fault: () => board.draw('provider'),
    callbackFault: () => callbackShares(board.state().callbacks),
    recordingFault: () => board.state().recordings,
  });
  closers.add(simulator.stop);
  let current = accounts;
  const service: AccountList = {
    accounts: () => current,
    put(list) {
      current = list;
      simulator.setAccounts(list);
    },
  };
  return { url: simulator.url, simulator, service };
};
