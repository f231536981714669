import type { IncomingMessage } from 'node:http';

/** An answer in JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a request. */
export type Route = (body: string) => Promise<Reply>;

/** Routes by method and path, as in `GET /_simulator`. */
export type Routes = Readonly<Record<string, Route>>;

/** What the service answers to an operation it does not have. */
export const notFound: Reply = { status: 404, body: { status: 'error', message: 'Not found' } };

/** The method and path of a request, without its query. */
export const routeOf = ({ method = '', url = '' }: IncomingMessage): string => `${method} ${url.split('?')[0]}`;

const mostBodyCharacters = 100_000;

/** The body as text; undefined where it is longer than anything the simulator is told. */
export const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  request.setEncoding('utf8');
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > mostBodyCharacters) return undefined;
  }
  return body;
};
