import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Properties } from '../../../cdk/support/template.ts';
import { nodeIn } from '../../../package/support.ts';
import { exampleProject } from './example-project.ts';

/** A script that passes its standard input to the handler and prints the answer in its last line. */
const invoke = (bundle: string): string => `
  import { text } from 'node:stream/consumers';
  import { handler } from '${bundle}';
  const answer = await handler(JSON.parse(await text(process.stdin)));
  process.stdout.write(JSON.stringify(answer));`;

/** The subscriber example, installed and synthesised in its own project. */
export const synthesisedSubscriber = async () => {
  const project = await exampleProject('subscriber');
  const assembly = join(project, 'cdk.out');
  const busArn = 'arn:aws:events:eu-west-1:111122223333:event-bus/callfeed-prod';
  const environment = { CDK_OUTDIR: assembly, CDK_CONTEXT_JSON: JSON.stringify({ busArn }) };
  const { code, errors } = await nodeIn(project, ['app.ts'], { environment });
  if (code !== 0) throw new Error(errors);

  const template: { readonly Resources: Readonly<Record<string, { Type: string; Properties: Properties }>> } =
    JSON.parse(readFileSync(join(assembly, 'missed-calls.template.json'), 'utf8'));
  const [asset = ''] = readdirSync(assembly).filter((name) => name.startsWith('asset.'));

  return {
    project,
    /** The properties of the template's resources of one type. */
    ofType: (type: string): readonly Properties[] =>
      Object.values(template.Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : [])),
    /** Runs the bundled handler with a batch of messages, as Lambda would. */
    async deliver(bodies: readonly string[], variables: Readonly<Record<string, string>>) {
      const Records = bodies.map((body, index) => ({ messageId: `message-${index}`, body }));
      const { output, errors } = await nodeIn(
        project,
        ['--input-type=module', '-e', invoke(join(assembly, asset, 'index.mjs'))],
        { input: JSON.stringify({ Records }), environment: variables },
      );
      const lines = output.split('\n').map((line) => JSON.parse(line));

      return { answer: lines.at(-1), messages: lines.slice(0, -1).map(({ message }) => message), errors };
    },
  };
};

export type SynthesisedSubscriber = Awaited<ReturnType<typeof synthesisedSubscriber>>;
