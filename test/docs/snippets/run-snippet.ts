import type { Snippet } from '../../support/repository-files.ts';

/** A snippet for the CDK, which a stack surrounds. */
export const isForCdk = ({ language, text }: Snippet): boolean => language === 'ts' && text.includes("'callfeed/cdk'");

/** Any other snippet in TypeScript: a program, or a part of one. */
export const isProgram = (snippet: Snippet): boolean => snippet.language === 'ts' && !isForCdk(snippet);

export const isJson = ({ language }: Snippet): boolean => language === 'json';

/** Names that a snippet uses without declaring them, with their values: what stands around it in a reader’s own file. */
export type Surroundings = Readonly<Record<string, unknown>>;

/** The entries of the package, as their sources. */
const entries: Readonly<Record<string, () => Promise<unknown>>> = {
  'callfeed/cdk': () => import('../../../cdk/index.ts'),
  'callfeed/client': () => import('../../../client/index.ts'),
  'callfeed/contract': () => import('../../../lib/contract/index.ts'),
};
const load = (name: string): Promise<unknown> => (entries[name] ?? (() => import(/* @vite-ignore */ name)))();

const AsyncFunction: new (
  ...parametersAndBody: readonly string[]
) => (this: unknown, ...values: readonly unknown[]) => Promise<Surroundings> = Object.getPrototypeOf(
  async () => undefined,
).constructor;

/**
 * Runs a snippet as it is printed: its imports load the sources of the package. Answers the surroundings with what it declares,
 * for the next snippet of its page. Its types are removed by nobody, so it has none.
 */
export const runSnippet = async (
  { text }: Snippet,
  surroundings: Surroundings,
  self: unknown = undefined,
): Promise<Surroundings> => {
  const body = text.replaceAll(/^import (\{[^}]*\}) from '([^']+)';/gm, "const $1 = await load('$2');");
  const declared = [...body.matchAll(/^const (\w+|\{[\w, ]*\}) =/gm)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  );
  // In a block of its own, what it declares hides what surrounds it.
  const run = new AsyncFunction('load', ...Object.keys(surroundings), `{ ${body}\nreturn { ${declared.join()} }; }`);
  return { ...surroundings, ...(await run.call(self, load, ...Object.values(surroundings))) };
};
