import type { Answer, Received } from '../../http/serve.ts';

/** Counts a request the moment it arrives, and gives what answers it, for the case that it is answered. */
export type Operation = (request: Received) => () => Promise<Answer>;

/** The path of a request, without its query. */
export const pathOf = ({ path }: Pick<Received, 'path'>): string => path.split('?')[0] ?? '/';
