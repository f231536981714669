import type * as z from 'zod';
import { type Answer, type Handle, jsonAnswer } from './serve.ts';

/** What a route is asked: the body, the query, and the part of the path that is a name. */
export interface Asked {
  readonly body: string;
  readonly query: URLSearchParams;
  readonly name: string;
}

export type Route = (asked: Asked) => Answer | Promise<Answer>;

/** Routes by method and path, such as `PUT /_sandbox/faults/{name}`. */
export type Routes = Readonly<Record<string, Route>>;

/** It has room for a script of more than ten thousand agents. */
const limitBytes = 8 * 1024 * 1024;

/** Dispatches requests to their routes; HEAD as GET. */
export const routed = (routes: Routes, notFound: Answer): Handle => {
  const patterns = Object.entries(routes).map(
    ([name, route]) => [new RegExp(`^${name.replace(/\{\w+\}/, '([^/]+)')}$`), route] as const,
  );

  return async ({ method, path, body }) => {
    const { pathname, searchParams: query } = new URL(path, 'http://sandbox');
    const requested = `${method === 'HEAD' ? 'GET' : method} ${pathname}`;
    const [pattern, route] = patterns.find(([known]) => known.test(requested)) ?? [];
    if (pattern === undefined || route === undefined) return notFound;
    if (body.length > limitBytes)
      return jsonAnswer(413, { status: 'error', message: `The body must not exceed ${limitBytes} bytes.` });

    const [, name = ''] = pattern.exec(requested) ?? [];
    return await route({ body: body.toString(), query, name: decodedOr(name) });
  };
};

/** A name with a wrong escape is taken as it is written. */
const decodedOr = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** What is wrong with a body and where. It repeats no value. */
export const problemsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
