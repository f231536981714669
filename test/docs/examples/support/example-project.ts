import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Properties } from '../../../cdk/support/template.ts';
import { nodeIn } from '../../../package/support.ts';
import { checkout, installedPackage, projectWith } from '../../../support/packed-package.ts';

const examples = join(checkout, 'docs/examples');

/**
 * A copy of an example in a folder with the packed package installed, so that it imports what users get and not the
 * sources. The CDK looks for a lock file before it bundles, so there is one.
 */
export const exampleProject = async (name: string): Promise<string> => {
  const files = readdirSync(join(examples, name)).map((file) => [
    file,
    readFileSync(join(examples, name, file), 'utf8'),
  ]);

  return projectWith(await installedPackage(), { ...Object.fromEntries(files), 'package-lock.json': '{}' });
};

/** The variables of sandbox.env, with changes for a sandbox at other addresses. */
export const sandboxEnvironment = (changes: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const variables = parseEnv(readFileSync(join(examples, 'sandbox.env'), 'utf8'));

  return { ...Object.fromEntries(Object.entries(variables).map(([name, value = '']) => [name, value])), ...changes };
};

/** A script that passes its standard input to the handler, with half a minute to go, and prints the answer in its last line. */
const invokeScript = (bundle: string): string => `
  import { text } from 'node:stream/consumers';
  import { handler } from '${bundle}';
  const context = { getRemainingTimeInMillis: () => 30_000 };
  const answer = await handler(JSON.parse(await text(process.stdin)), context);
  process.stdout.write(JSON.stringify(answer) ?? '');`;

/** The context of a stack, and the account that the CDK's command line would find. */
interface SynthesisOptions {
  readonly context: Readonly<Record<string, string>>;
  readonly account?: string;
}

/** An example with a stack, installed and synthesised in its own project. */
export const synthesisedExample = async (name: string, stack: string, { context, account }: SynthesisOptions) => {
  const project = await exampleProject(name);
  const assembly = join(project, 'cdk.out');
  const environment = {
    CDK_OUTDIR: assembly,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    ...(account !== undefined && { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: 'eu-west-1' }),
  };
  const { code, errors } = await nodeIn(project, ['app.ts'], { environment });
  if (code !== 0) throw new Error(errors);

  const template: { readonly Resources: Readonly<Record<string, { Type: string; Properties: Properties }>> } =
    JSON.parse(readFileSync(join(assembly, `${stack}.template.json`), 'utf8'));
  const [asset = ''] = readdirSync(assembly).filter((name) => name.startsWith('asset.'));

  /** Runs the bundled handler with an event, as Lambda would. The last line is its answer. */
  const invoke = async (event: unknown, variables: Readonly<Record<string, string>>) => {
    const { output, errors } = await nodeIn(
      project,
      ['--input-type=module', '-e', invokeScript(join(assembly, asset, 'index.mjs'))],
      { input: JSON.stringify(event), environment: variables },
    );

    return { lines: output.split('\n').map((line) => (line === '' ? undefined : JSON.parse(line))), errors };
  };

  return {
    project,
    /** The properties of the template's resources of one type. */
    ofType: (type: string): readonly Properties[] =>
      Object.values(template.Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : [])),
    invoke,
    /** Runs the bundled handler with a batch of messages. */
    async deliver(bodies: readonly string[], variables: Readonly<Record<string, string>>) {
      const Records = bodies.map((body, index) => ({ messageId: `message-${index}`, body }));
      const { lines, errors } = await invoke({ Records }, variables);

      return { answer: lines.at(-1), messages: lines.slice(0, -1).map(({ message }) => message), errors };
    },
  };
};

export type SynthesisedExample = Awaited<ReturnType<typeof synthesisedExample>>;
