import type { Simulator } from '../sandbox/simulator/index.ts';
import type { CallbackApi } from './cloud/callback-api.ts';
import type { Clients } from './cloud/clients.ts';
import type { Outputs } from './cloud/deployment.ts';
import type { Subscriber } from './cloud/subscriber.ts';

/** The deployed service, and everybody who has to do with it. */
export interface Stage {
  readonly clients: Clients;
  readonly outputs: Outputs;
  /** Takes what the telephony service posts. */
  readonly api: CallbackApi;
  /** The telephony service that the deployed poller asks. */
  readonly simulator: Simulator;
  readonly subscriber: Subscriber;
}
