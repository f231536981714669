import { readFileSync } from 'node:fs';

/** Histories that once broke a guarantee, of the product or of a copy with a seeded fault, with what each showed and when. */
export const regressionsIn = <History>(kind: 'calls' | 'agents') =>
  readFileSync(new URL(`regressions/${kind}.ndjson`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): { readonly name: string; readonly what: string; readonly history: History } => JSON.parse(line));
