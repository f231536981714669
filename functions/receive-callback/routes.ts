/** The service looks at an address with GET or HEAD before it is accepted, then posts below it. */
const checks = ['GET', 'HEAD'] as const;

/** A path of the API, and the methods that it takes there. */
export interface Route {
  readonly path: '/' | '/{secret}' | '/callDetails' | '/{secret}/callDetails';
  readonly methods: readonly ('GET' | 'HEAD' | 'POST')[];
}

/** What the receiver answers; anything else is API Gateway's own 404. The first path that fits is the most specific one. */
export const routes: readonly Route[] = [
  { path: '/', methods: checks },
  { path: '/callDetails', methods: [...checks, 'POST'] },
  { path: '/{secret}', methods: checks },
  { path: '/{secret}/callDetails', methods: [...checks, 'POST'] },
];
