import type { BundledPeer } from '../peers/bundled-peers.ts';
import type { Finding, GuaranteeCase } from './guarantee-case.ts';
import { secrecyOf } from './secrecy.ts';
import { openStage } from './stage.ts';

/** What was seen of a peer, by the titles of the guarantees. */
export type Findings = ReadonlyMap<string, Finding>;

/** 18 digits, of which a JavaScript number cannot hold the last. */
const callIdOf = (index: number): string => `4178123456789${String(index).padStart(4, '0')}1`;

/** Tries one case after the other with one peer, and looks at the end where the key and people have got to. */
export const tryPeer = async (
  bundled: BundledPeer,
  cases: readonly GuaranteeCase[],
  endpoint: string,
): Promise<Findings> => {
  const findings = new Map<string, Finding>();
  const stage = await openStage(bundled, endpoint);
  try {
    for (const [index, one] of cases.entries()) {
      findings.set(one.title, await one.try(stage, callIdOf(index)));
      stage.fail();
    }
    const kept = await stage.kept();
    await stage.close();
    for (const { title, finding } of secrecyOf(stage, kept)) findings.set(title, finding);
    return findings;
  } finally {
    await stage.close();
  }
};
