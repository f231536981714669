import { routes } from '../../functions/receive-callback/routes.ts';

/** A request's place in the API, as API Gateway names it, and what its path held. */
export interface Route {
  readonly key: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A path's pattern as what it matches: a parameter is one part of the path. */
const matcher = (path: string): RegExp => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

const patterns = routes.map(({ path, methods }) => ({
  path,
  methods: new Set<string>(methods),
  matches: matcher(path),
}));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The route of a request, or undefined where the API has none. The first pattern that fits is the most specific one. */
export const routeOf = (method: string, path: string): Route | undefined => {
  for (const { path: pattern, methods, matches } of patterns) {
    const match = methods.has(method) ? matches.exec(path) : null;
    if (match === null) continue;

    const parameters = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]);
    return { key: `${method} ${pattern}`, parameters: Object.fromEntries(parameters) };
  }
  return undefined;
};
