import type { LookupAddress } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { HttpFault } from '../adapters/http-client.ts';

/** Whether an address is public: not private, loopback, link-local (machines' metadata), reserved, or such in IPv6. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(globalUnicast) && !isIsatap(parsed));
};

/** All that IANA has assigned. `ipaddr.js` takes the rest for unicast too, and IPv4 addresses that IPv6 once embedded. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** A tunnel to the IPv4 address in the last 32 bits (RFC 5214). */
const isIsatap = ({ parts: [, , , , flags = 0, mark] }: ipaddr.IPv6): boolean =>
  mark === 0x5efe && (flags & 0xfcff) === 0;

interface LookupSeams {
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
  readonly isPublic?: (address: string) => boolean;
}

/** Fails unless all addresses are public. The connection uses one of these, so a later change has no effect. */
export const publicLookup =
  ({
    resolve = (hostname) => resolveName(hostname, { all: true }),
    isPublic = isPublicAddress,
  }: LookupSeams = {}): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new HttpFault('connection'), '');
        else if (!addresses.every(({ address }) => isPublic(address))) callback(new HttpFault('private-address'), '');
        else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
