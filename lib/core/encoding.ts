import { hash } from 'node:crypto';
import { canonicalJson } from './json.ts';

/**
 * A short id for content: the first 128 bits of its SHA-256, in hexadecimal.
 * This file imports modules of Node, so code that runs in a browser must not import it.
 */
export const contentHash = (value: unknown): string => hash('sha256', canonicalJson(value), 'hex').slice(0, 32);

/** The SHA-256 of a text. Digests have equal lengths, so secrets of any length can be compared in constant time. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
