import { createServer } from 'node:http';
import { listen, localHost } from '../../sandbox/http/listen.ts';
import { writeAnswer } from '../../sandbox/http/write-answer.ts';
import type { Fate } from '../world/fate.ts';
import type { Centre } from './centre.ts';

/** Contact centres behind one address, each under its own path. */
export interface CentresServer {
  /** The address of a centre from now on; what becomes of its next request can be said before. */
  readonly open: (name: string, centre: Centre) => { readonly url: string; readonly strike: (fate: Fate) => void };
  readonly close: () => Promise<void>;
}

/** Serves centres over HTTP. A call that fails has its socket closed before it has an effect, one that is lost after. */
export const serveCentres = async (): Promise<CentresServer> => {
  const centres = new Map<string, Centre>();
  const struck = new Map<string, Fate>();

  const server = createServer((request, response) => {
    const [, name = ''] = (request.url ?? '').split('/');
    const fate = struck.get(name);
    struck.delete(name);
    request.resume().once('end', () => {
      if (fate === 'fail') return void request.socket.destroy();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
      const answer = centres.get(name)?.answer(request.url ?? '', headers) ?? { status: 404 };
      if (fate === 'lose') return void request.socket.destroy();
      writeAnswer(response, answer);
    });
  });
  const port = await listen(server, { number: 0, flag: 'port' });

  return {
    open(name, centre) {
      centres.set(name, centre);
      return { url: `http://${localHost}:${port}/${name}`, strike: (fate) => struck.set(name, fate) };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
