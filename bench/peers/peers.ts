import { callfeed } from './callfeed.ts';
import type { Peer } from './peer.ts';
import { plain } from './plain.ts';
import { powertools } from './powertools.ts';

/** All that are compared, ours first. */
export const peers: readonly Peer[] = [callfeed, plain, powertools];
