import { randomUUID } from 'node:crypto';
import { Agent, createServer, request as httpRequest } from 'node:http';

/**
 * Replaces DynamoDB Local: listens on the port after `-port`, and forwards each request to the address in the first
 * argument. It renames the tables there, so that sandboxes with the same table names do not share rows.
 */
const [target = '', ...args] = process.argv.slice(2);
const prefix = `stand-in-${randomUUID()}`;
const agent = new Agent({ keepAlive: true });

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const renamed = Buffer.from(body.replaceAll(/callfeed-(calls|agents|quarantine)/g, `${prefix}-$1`));
  const headers = { ...request.headers, 'content-length': String(renamed.length) };
  const forwarded = httpRequest(target, { method: request.method, path: request.url, headers, agent });
  forwarded.on('error', () => response.destroy());
  forwarded.on('response', async (answer) => {
    const answered = Buffer.concat(await answer.toArray()).toString();
    // The checksum and the length are those of the names that the client does not know.
    const {
      'x-amz-crc32': _checksum,
      'content-length': _length,
      'transfer-encoding': _encoding,
      ...rest
    } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, rest);
    response.end(answered.replaceAll(prefix, 'callfeed'));
  });
  forwarded.end(renamed);
});
server.listen(Number(args[args.indexOf('-port') + 1]), '127.0.0.1');
