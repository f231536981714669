import type { LookupAddress } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { RecordingProblem } from '../../lib/recordings/schema.ts';

/** Thrown while a recording is read, so that whoever copies it stops. */
export class RecordingFault extends Error {
  override readonly name = 'RecordingFault';
  readonly problem: RecordingProblem;

  constructor(problem: RecordingProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Sends a GET for a URL that was checked. It is the only way to a host. */
export type SendGet = (url: URL, options: Pick<RequestOptions, 'headers' | 'signal'>) => ClientRequest;

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

/** What tests replace. The deployed function passes none of it. */
export interface HttpsSeams {
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
  readonly isPublic?: (address: string) => boolean;
  readonly port?: number;
  /** The certificate of a local authority. */
  readonly ca?: string;
}

/**
 * Requests over HTTPS, each on a connection of its own. The connection's own look-up checks every address of the name, and the
 * connection goes to one of the addresses that it checked. So a name that changes after a check leads nowhere else.
 */
export const sendOverHttps = ({
  resolve = (hostname) => resolveName(hostname, { all: true }),
  isPublic = isPublicAddress,
  port = 443,
  ca,
}: HttpsSeams = {}): SendGet => {
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    const checked = async (): Promise<readonly LookupAddress[]> => {
      const addresses = await resolve(hostname);
      if (!addresses.every(({ address }) => isPublic(address))) throw new RecordingFault('private-address');
      return addresses;
    };
    checked().then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new RecordingFault('connection'), '');
        else if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
  return (url, options) =>
    overHttps({
      ...options,
      ...target(url),
      port,
      // The name of a certificate, even where a proxy or an agent is set for the process.
      servername: url.hostname,
      agent: false,
      lookup,
      ...(ca !== undefined && { ca }),
    });
};

const target = ({ hostname, pathname, search }: URL) => ({ hostname, path: `${pathname}${search}` });

/**
 * Requests over plain HTTP to an address of this machine, whatever the host of the URL: for the sandbox and emulators of AWS,
 * whose telephony service serves its recordings there.
 */
export const sendThrough =
  (address: string): SendGet =>
  (url, { headers, ...options }) => {
    const { hostname, port } = new URL(address);
    const { path } = target(url);
    return overHttp({ ...options, hostname, port, path, agent: false, headers: { ...headers, Host: url.hostname } });
  };

/** How long a host may be silent, and how long the whole may take, in milliseconds. */
export interface RecordingLimits {
  readonly silenceMs: number;
  readonly wholeMs: number;
}

/** The answer's head, or throws a `RecordingFault`. */
export const answerTo = (request: ClientRequest, { silenceMs }: RecordingLimits, whole: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const silence = setTimeout(() => request.destroy(new RecordingFault('timeout')), silenceMs);
    // Stays for errors after the answer's head: whoever reads the body hears of them too.
    request.on('error', (error) => reject(faultOf(error, whole)));
    request.on('close', () => {
      clearTimeout(silence);
      reject(new RecordingFault('connection'));
    });
    request.on('response', (response) => {
      clearTimeout(silence);
      resolve(response);
    });
    request.end();
  });

/** The bytes of an answer as they come, or throws a `RecordingFault`. Whoever is slow to take them is not the host. */
export async function* bodyOf(
  response: IncomingMessage,
  { silenceMs, maxBytes }: RecordingLimits & { readonly maxBytes: number },
  whole: AbortSignal,
): AsyncGenerator<Buffer> {
  const announced = response.headers['content-length'];
  const chunks = response[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      const silence = setTimeout(() => response.destroy(new RecordingFault('timeout')), silenceMs);
      const { value, done } = await chunks.next().finally(() => clearTimeout(silence));
      // Our own time limit closes the connection, which ends an answer without a length like one that is whole.
      if (done && whole.aborted) throw new RecordingFault('timeout');
      if (done) break;
      bytes += value.length;
      if (bytes > maxBytes) throw new RecordingFault('too-large');
      yield value;
    }
  } catch (error) {
    const fault = faultOf(error, whole);
    // Node compares what came with what was announced.
    throw fault.problem === 'connection' && announced !== undefined ? new RecordingFault('shorter') : fault;
  } finally {
    response.destroy();
  }
}

const faultOf = (error: unknown, whole: AbortSignal): RecordingFault => {
  if (whole.aborted) return new RecordingFault('timeout');
  return error instanceof RecordingFault ? error : new RecordingFault('connection');
};
