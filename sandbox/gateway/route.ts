/** A request's place in the API, as API Gateway names it, and what its path held. */
export interface Route {
  readonly key: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const methods = ['GET', 'HEAD', 'POST'];

const patterns: readonly (readonly [pattern: string, matches: RegExp])[] = [
  ['/', /^\/$/],
  ['/callDetails', /^\/callDetails$/],
  ['/{secret}', /^\/(?<secret>[^/]+)$/],
  ['/{secret}/callDetails', /^\/(?<secret>[^/]+)\/callDetails$/],
];

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The route of a request, or undefined where the API has none. The first pattern that fits is the most specific one. */
export const routeOf = (method: string, path: string): Route | undefined => {
  if (!methods.includes(method)) return undefined;

  for (const [pattern, matches] of patterns) {
    const match = matches.exec(path);
    if (match === null) continue;

    const parameters = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]);
    return { key: `${method} ${pattern}`, parameters: Object.fromEntries(parameters) };
  }
  return undefined;
};
