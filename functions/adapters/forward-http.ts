import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { ForwardPorts } from '../../lib/forward/forward-delivery.ts';

/** How long a connection and a whole post may take, in milliseconds. */
export interface ForwardTimeouts {
  readonly connectMs: number;
  readonly wholeMs: number;
}

/** As deployed: an address that hangs must not hold up the others for long. */
export const forwardTimeouts: ForwardTimeouts = { connectMs: 2_000, wholeMs: 10_000 };

/**
 * Posts forms to addresses of others. A failure is a word or a status, never an error: its message could hold the address.
 * A redirect is not followed, because the key would go to another address. The answer is read to its end, as some receivers
 * stop working when nobody listens, and forgotten. Each post has a connection of its own: one from an earlier run of the
 * function may be dead without notice.
 */
export const forwardHttp =
  ({ connectMs, wholeMs }: ForwardTimeouts = forwardTimeouts): ForwardPorts['post'] =>
  (address, body) =>
    new Promise((resolve) => {
      const whole = AbortSignal.timeout(wholeMs);
      const url = new URL(address);
      const isSecure = url.protocol === 'https:';
      const request = (isSecure ? overHttps : overHttp)(url, {
        method: 'POST',
        agent: false,
        signal: whole,
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Content-Length': Buffer.byteLength(body),
        },
      });
      let isLate = false;
      const connecting = setTimeout(() => {
        isLate = true;
        request.destroy();
      }, connectMs);
      const end = (problem?: string) => {
        clearTimeout(connecting);
        resolve(problem);
      };
      const failed = () => end(isLate || whole.aborted ? 'timeout' : 'connection');
      request.once('socket', (socket) =>
        socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connecting)),
      );
      // A connection that is closed without an answer need not be an error.
      request.on('error', failed).on('close', failed);
      request.on('response', (response) => {
        response.on('error', failed).on('end', () => end(problemOf(response.statusCode)));
        response.resume();
      });
      request.end(body);
    });

const problemOf = (status = 0): string | undefined => {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'redirect' : `status ${status}`;
};
