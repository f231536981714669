import { connect, createServer } from 'node:net';

/** Stands for DynamoDB Local: listens on the port after `-port`, and passes each connection on to the first argument. */
const [target = '', ...args] = process.argv.slice(2);
const { hostname, port } = new URL(target);

const server = createServer((socket) => {
  const forwarded = connect(Number(port), hostname);
  forwarded.on('error', () => socket.destroy());
  socket.on('error', () => forwarded.destroy());
  socket.pipe(forwarded).pipe(socket);
});
server.listen(Number(args[args.indexOf('-port') + 1]));
