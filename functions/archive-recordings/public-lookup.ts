import type { LookupAddress } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { HttpFault } from '../adapters/http-client.ts';

/**
 * Whether an address is of the public internet: not private, loopback, link-local (the metadata of machines), reserved, or a
 * way to such an address within an IPv6 address.
 */
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

/**
 * The look-up of a connection, which fails unless every address of the name is public. The connection goes to one of the
 * addresses that were checked. So a name that changes after a check leads nowhere else.
 */
export const publicLookup =
  ({
    resolve = (hostname) => resolveName(hostname, { all: true }),
    isPublic = isPublicAddress,
  }: LookupSeams = {}): LookupFunction =>
  (hostname, { all }, callback) => {
    const checked = async (): Promise<readonly LookupAddress[]> => {
      const addresses = await resolve(hostname);
      if (!addresses.every(({ address }) => isPublic(address))) throw new HttpFault('private-address');
      return addresses;
    };
    checked().then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new HttpFault('connection'), '');
        else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
