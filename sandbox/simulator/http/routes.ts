import { jsonAnswer } from '../../http/json-answer.ts';
import type { Handle } from '../../http/serve.ts';
import { pathOf } from '../service/operation.ts';
import { notFound } from './not-found.ts';

/** An answer in JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a request by its body. */
export interface Route {
  readonly reply: (body: string) => Promise<Reply>;
  /** How long a body may be; 100,000 bytes unless told. */
  readonly mostBytes?: number;
}

/** Routes by method and path, as in `GET /_simulator`. */
export type Routes = Readonly<Record<string, Route>>;

const usualBytes = 100_000;

/** Answers by routes. */
export const routed =
  (routes: Routes): Handle =>
  async (request) => {
    const name = `${request.method} ${pathOf(request)}`;
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (route === undefined) return notFound;
    if (request.body.length > (route.mostBytes ?? usualBytes))
      return jsonAnswer(413, { status: 'error', message: 'Body too large' });

    const { status, body } = await route.reply(request.body.toString());
    return jsonAnswer(status, body);
  };
