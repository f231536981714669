import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * A short name for content: the first 128 bits of its SHA-256, in hexadecimal.
 * It has a file of its own since it needs Node: what a browser may load must not import it.
 */
export const contentHash = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex').slice(0, 32);
