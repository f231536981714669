import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

/** The page, for a screen on this machine. On a web server of yours the same three files do, under https. */
const settings = async (): Promise<string> =>
  JSON.stringify(JSON.parse(await readFile(`${import.meta.dirname}/outputs.json`, 'utf8'))['live-wallboard']);
const files = {
  '/': { type: 'text/html', read: () => readFile(`${import.meta.dirname}/page.html`, 'utf8') },
  '/page.js': { type: 'text/javascript', read: () => readFile(`${import.meta.dirname}/page.js`, 'utf8') },
  '/settings.json': { type: 'application/json', read: settings },
};

const { PORT = '8080' } = process.env;
const server = createServer(async ({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  const file = Object.entries(files).find(([path]) => path === pathname)?.[1];
  if (file === undefined) return void response.writeHead(404).end();
  const text = await file.read();
  response.writeHead(200, { 'Content-Type': `${file.type}; charset=utf-8`, 'Cache-Control': 'no-store' }).end(text);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://localhost:${PORT}/. Ctrl-C ends this.`));
process.once('SIGINT', () => process.exit());
