import type { Simulator } from '../simulator/index.ts';

/** What was asked of the simulated service for one account, in numbers. */
export interface ProviderCounts {
  readonly requests: number;
  /** Requests over the limit, those for tokens among them. */
  readonly offences: number;
  readonly mostInAnyMinute: number;
  readonly tokensGenerated: number;
  readonly agentsLoggedIn: number;
}

/** The counts of every account; none where nothing is simulated. */
export const providerState = (
  simulator: Pick<Simulator, 'accounts'> | undefined,
): Readonly<Record<string, ProviderCounts>> =>
  Object.fromEntries(
    Object.entries(simulator?.accounts() ?? {}).map(
      ([name, { requests, offences, mostInAnyMinute, agentsLoggedIn, tokens }]) => [
        name,
        {
          requests,
          offences: offences + tokens.offences,
          mostInAnyMinute,
          tokensGenerated: tokens.generated,
          agentsLoggedIn,
        },
      ],
    ),
  );
