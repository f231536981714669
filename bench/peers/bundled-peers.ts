import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleFile } from '../../cdk/constructs/bundling.ts';
import { bundle } from '../bundles/bundle.ts';
import type { Peer, PeerDeployment, PeerFunction } from './peer.ts';
import { peers } from './peers.ts';

/** A function as it is deployed, in a folder of its own. */
export interface BundledFunction {
  readonly folder: string;
  readonly environment: PeerFunction['environment'];
  readonly bytes: number;
  readonly gzippedBytes: number;
  readonly packages: readonly string[];
}

/** A peer that can be started. */
export interface BundledPeer {
  readonly peer: Peer;
  readonly deployment: PeerDeployment;
  readonly receiver: BundledFunction;
  readonly publisher: BundledFunction | undefined;
}

/** Bundles what is deployed of each peer into folders in `folder`; their tables begin with `prefix`. */
export const bundledPeers = (
  folder: string,
  { prefix = 'peer', of = peers }: { readonly prefix?: string; readonly of?: readonly Peer[] } = {},
): Promise<readonly BundledPeer[]> =>
  Promise.all(
    of.map(async (peer) => {
      const deployment = peer.deployed(`${prefix}-${peer.name}`);
      const { receiver, publisher } = deployment;
      return {
        peer,
        deployment,
        receiver: await bundled(receiver, join(folder, peer.name, 'receiver')),
        publisher: publisher && (await bundled(publisher, join(folder, peer.name, 'publisher'))),
      };
    }),
  );

const bundled = async ({ entry, environment }: PeerFunction, folder: string): Promise<BundledFunction> => {
  const { bytes, packages } = await bundle(entry, folder);
  const gzippedBytes = gzipSync(readFileSync(join(folder, bundleFile))).byteLength;
  return { folder, environment, bytes, gzippedBytes, packages };
};
