import type { KeptEntry } from '../../lib/redrive-quarantined.ts';
import type { Deployment } from '../connection/deployment.ts';
import { entries, entryOf, type Wanted } from './entries.ts';

/**
 * The entries that are to be redriven: those with these ids (or the id itself, where there is no entry), or without ids all
 * that are wanted and have an account. Nobody vouches for the others by the hundred: those are told of only.
 */
export async function* chosenEntries(
  deployment: Deployment,
  ids: readonly string[],
  wanted: Wanted,
  onPassedOver: () => void,
): AsyncGenerator<KeptEntry | string> {
  for (const id of ids) yield (await entryOf(deployment, id)) ?? id;
  if (ids.length > 0) return;

  const { account, reason } = wanted;
  for await (const page of entries(deployment, { account, reason }, () => undefined))
    for (const kept of page)
      if (kept.entry.account === undefined) onPassedOver();
      else yield kept;
}
