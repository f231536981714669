import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

/**
 * Replaces DynamoDB Local: listens on the port after `-port`, answers by itself whether it was started with an origin, and
 * forwards other connections to the address in the first argument.
 */
const [target = '', ...args] = process.argv.slice(2);
const { hostname: host, port } = new URL(target);
const argument = (name: string): string | undefined => args[args.indexOf(name) + 1];
const ended = (): void => undefined;
const allowed = `HTTP/1.1 204 No Content\r\naccess-control-allow-origin: ${argument('-cors')}\r\nconnection: close\r\n\r\n`;

const server = createServer((client) => {
  client.on('error', ended).once('data', (first) => {
    if (first.toString('latin1').startsWith('OPTIONS ')) {
      client.end(allowed);
      return;
    }
    client.pause().unshift(first);
    const there = connect({ host, port: Number(port) });
    pipeline(client, there, ended);
    pipeline(there, client, ended);
  });
});
server.listen(Number(argument('-port')), '127.0.0.1');
