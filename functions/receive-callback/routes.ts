/** The service checks a callback URL with GET or HEAD before it accepts it, and then posts below it. */
const checks = ['GET', 'HEAD'] as const;

/** A path of the API, and its methods. */
export interface Route {
  readonly path: '/' | '/{secret}' | '/callDetails' | '/{secret}/callDetails';
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[];
}

/** The routes, ordered so that the first match is the most specific. API Gateway answers any other path with 404. */
export const routes: readonly Route[] = [
  { path: '/', methods: checks },
  { path: '/callDetails', methods: [...checks, 'POST'] },
  { path: '/{secret}', methods: checks },
  { path: '/{secret}/callDetails', methods: [...checks, 'POST'] },
];
