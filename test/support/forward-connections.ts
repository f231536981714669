import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

/** Replaces DynamoDB Local: listens on the port after `-port`, and forwards connections to the address in the first argument. */
const [target = '', ...args] = process.argv.slice(2);
const { hostname: host, port } = new URL(target);
const ended = (): void => undefined;

const server = createServer((client) => {
  const there = connect({ host, port: Number(port) });
  pipeline(client, there, ended);
  pipeline(there, client, ended);
});
server.listen(Number(args[args.indexOf('-port') + 1]), '127.0.0.1');
