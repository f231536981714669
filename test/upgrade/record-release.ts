import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { StageSettings } from '../../cdk/settings/settings.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { createClosers } from '../../sandbox/frame/lifecycle.ts';
import { configurations, stackIn } from '../cdk/support/configurations.ts';
import { reportOf } from '../deployment/telephony.ts';
import { contextOptions, stackName } from '../end-to-end/deployed/deployment.ts';
import { simulatedCentre } from '../fixtures/simulated-centre.ts';
import { formOf, httpApiEvent } from '../support/local-servers.ts';
import { root, runToEnd } from '../support/process-tree.ts';
import {
  type Assembly,
  type RecordedTemplates,
  recorded,
  type Template as StackTemplate,
  type Written,
} from './releases.ts';

/*
 * Records this version, which is about to be released: `npm run record-release`. The tests here and `npm run e2e` hold every
 * later version against the files. Released versions are never recorded anew.
 */

const synthesised = (settings: Readonly<Record<string, unknown>>): StackTemplate => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-record-'));
  const context = { ...cdkJson.context, 'aws:cdk:bundling-stacks': [] };
  try {
    const app = new App({ outdir, builtinCloudFormationValidation: false, context });
    return Template.fromStack(stackIn(app, settings)).toJSON() as StackTemplate;
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

const templates = (): RecordedTemplates => ({
  settings: Object.keys(StageSettings.shape),
  variants: Object.fromEntries(
    Object.entries(configurations).map(([name, settings]) => [name, { settings, template: synthesised(settings) }]),
  ),
});

/** The most rows of these kinds, and events of each type, that are recorded. */
const few = 8;

/** The first few of each kind. */
const fewOfEach = <Item>(items: readonly Item[], kindOf: (item: Item) => unknown): readonly Item[] =>
  items.filter((item, index) => items.slice(0, index).filter((other) => kindOf(other) === kindOf(item)).length < few);

const exampleOf = (name: string): string => readFileSync(join(root, 'sandbox/examples', `${name}.json`), 'utf8');
const post = (data: string) => httpApiEvent({ body: formOf(data) });

/** What this version writes in an hour of the simulated contact centre, and leaves in its queues when it is replaced. */
const written = async (): Promise<Written> => {
  const found = {
    CallID: '91781234567890123',
    UCID: '91781234567890123',
    CallDate: '2026-11-20',
    StartTime: '09:30:00',
  };
  const report = reportOf({ '2026-11-20': [found] });
  const { world, functions, slots } = simulatedCentre({
    seed: 1,
    gapMs: 120_000,
    report: { get: async (request) => report(request) },
  });
  for await (const _ of slots(1));

  // Reconciliation is replaced between two steps: its row has the run, and its queue the message for the next step.
  const reconciliation: string[] = [];
  world.reconciliation.send(JSON.stringify({ kind: 'all' }), {}, 0);
  for (let steps = 0; steps < 4; steps++) {
    const [next] = world.reconciliation.messages();
    reconciliation.push(next?.body ?? '');
    world.advance(Math.max(0, (next?.visibleAt ?? 0) - world.now().getTime()));
    if (steps < 3) await world.reconcile(functions);
  }

  // The table fails, so posts are parked: what is a call, and what is not.
  const withoutTables = world.start((call) => (call.service === 'dynamodb' ? 'fail' : 'pass'));
  for (const name of ['call-summary', 'advanced-callback', 'missed-call'])
    await world.post(withoutTables, post(exampleOf(name)));
  await world.post(withoutTables, post('{"Apikey":"demo-key","note":"no call"}'));

  const agents = world.rows('agents');
  return {
    rows: {
      calls: world.rows('calls'),
      agents: [
        ...agents.filter(({ kind }) => kind !== 'floor'),
        ...agents.filter(({ kind }) => kind === 'floor').slice(-few),
      ],
      quarantine: world.rows('quarantine'),
    },
    messages: { parked: world.parking.messages().map(({ body }) => body), reconciliation },
    events: fewOfEach(world.events(), (event) => event['detail-type']),
  };
};

/** The files that `cdk deploy` needs, by their paths. */
const assembly = async (): Promise<Assembly> => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-record-'));
  const closers = createClosers(20_000);
  try {
    const args = ['synth', stackName, ...contextOptions(), '--output', outdir, '--quiet', '--no-notices'];
    await runToEnd(
      { command: join(root, 'node_modules/.bin/cdk'), args, folder: root, environment: process.env },
      closers,
    );
    const files = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).toSorted();
    return Object.fromEntries(
      files
        .filter((file) => statSync(join(outdir, file)).isFile())
        .map((file) => [file, readFileSync(join(outdir, file), 'utf8')]),
    );
  } finally {
    await closers.closeAll();
    rmSync(outdir, { recursive: true });
  }
};

const files = { 'templates.json.gz': templates, 'written.json.gz': written, 'assembly.json.gz': assembly };
for (const [name, record] of Object.entries(files)) {
  const path = recorded(manifest.version, name);
  mkdirSync(join(path, '..'), { recursive: true });
  const compressed = gzipSync(JSON.stringify(await record()), { level: 9 });
  writeFileSync(path, compressed);
  process.stdout.write(`${path}: ${compressed.length} bytes\n`);
}
