import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import * as z from 'zod';
import { projectRoot } from '../../cdk/constructs/function-code.ts';
import { median } from '../../test/support/statistics.ts';
import { bundle } from '../lambda/bundle.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import { type Part, type Table, type TitledTable, withTemporaryFolder } from '../part.ts';
import { environmentOf, firstEvent, functionNames, type MeasuredFunction, startServices } from './part.ts';

/** A process's first event: when its modules began and ended, and when its steps were done. */
const Trace = z.object({
  /** The time of the process's start, in milliseconds since the epoch. */
  origin: z.number(),
  /** Milliseconds from there. */
  bundleStart: z.number(),
  bundleEnd: z.number(),
  handlerStart: z.number(),
  handlerEnd: z.number(),
  /** A module's name where it begins, and an empty text where the last one begun ends, each followed by the time. */
  marks: z.array(z.union([z.string(), z.number()])),
});
type Trace = z.infer<typeof Trace>;

/** Before the bundle: notes the times of its own modules and of Node's, which it requires. */
const banner = `
const trace = { origin: performance.timeOrigin, bundleStart: performance.now(), marks: [] };
globalThis.traceMark = (name) => trace.marks.push(name, performance.now());
{
  const original = require;
  require = (id) => {
    traceMark('Node: ' + id);
    try { return original(id); } finally { traceMark(''); }
  };
}`;

/** Behind it: the handler's answer carries the trace. */
const footer = `
{
  const { handler } = module.exports;
  trace.bundleEnd = performance.now();
  module.exports = { handler: async (event, context) => {
    trace.handlerStart = performance.now();
    await handler(event, context);
    trace.handlerEnd = performance.now();
    return trace;
  } };
}`;

/** Marks where each module begins and ends. */
const marks: Plugin = {
  name: 'marks',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const name = JSON.stringify(path.replace(projectRoot, '').replace('node_modules/', ''));
      const contents = `globalThis.traceMark(${name});\n${readFileSync(path, 'utf8')}\n;globalThis.traceMark('');\n`;
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** The time that each module took itself, without those that it loads. */
const ownTimes = ({ marks: list }: Trace): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  const open: { readonly name: string; readonly at: number; others: number }[] = [];
  for (let index = 0; index < list.length; index += 2) {
    const [name, at] = [String(list[index]), Number(list[index + 1])];
    const last = name === '' ? open.pop() : undefined;
    if (last === undefined) {
      open.push({ name, at, others: 0 });
      continue;
    }
    const took = at - last.at;
    times.set(last.name, (times.get(last.name) ?? 0) + took - last.others);
    const outer = open.at(-1);
    if (outer !== undefined) outer.others += took;
  }
  return times;
};

interface Traced {
  readonly trace: Trace;
  /** When each request arrived, from the start of the process. */
  readonly requests: readonly { readonly operation: string; readonly ms: number }[];
}

const stepsOf = ({ trace, requests }: Traced): readonly (readonly [string, number])[] => [
  ['Node has started, and reads the bundle', trace.bundleStart],
  ['all modules are loaded', trace.bundleEnd],
  ['the handler is called', trace.handlerStart],
  ...requests.map(({ operation, ms }) => [`${operation} arrives`, ms] as const),
  ['the handler returns', trace.handlerEnd],
];

/** The slowest modules that a table shows. */
const shown = 20;

const tableOf = (head: string, rows: readonly (readonly [string, number])[]): Table => ({
  head: [head, 'ms'],
  rows: rows.map(([name, ms]) => [name, ms.toFixed(2)]),
});

const medians = (all: readonly ReadonlyMap<string, number>[]) =>
  [...(all[0]?.keys() ?? [])].map((name) => [name, median(all.map((times) => times.get(name) ?? 0))] as const);

const tracesOf = async (name: MeasuredFunction, folder: string, repetitions: number): Promise<readonly Traced[]> => {
  const settings = { plugins: [marks], banner: { js: banner }, footer: { js: footer } };
  await bundle(join('functions', name, 'index.ts'), folder, settings);
  const services = await startServices();
  const traced: Traced[] = [];
  try {
    for (let round = 0; round <= repetitions; round++) {
      const lambda = await startLambda({ folder, environment: environmentOf(services.url) });
      const { result, error } = await lambda.invoke(firstEvent[name]());
      await lambda.stop();
      if (error !== undefined) throw new Error(`${name} failed with its first event: ${JSON.stringify(error)}`);
      const trace = Trace.parse(result);
      const requests = services.takeRequests().map(({ operation, atMs }) => ({ operation, ms: atMs - trace.origin }));
      // The first round fills the disk caches.
      if (round > 0) traced.push({ trace, requests });
    }
  } finally {
    await services.close();
  }
  return traced;
};

/** Where the time of a first event goes, by module and by step. Marks take some of it, so only shares are exact. */
export const trace: Part = {
  name: 'trace',
  what: 'where the time until the first reply goes: by module and by step',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      const tables: TitledTable[] = [];
      for (const name of functionNames) {
        onProgress(name);
        const traced = await tracesOf(name, join(folder, name), repetitions);
        const steps = medians(traced.map((each) => new Map(stepsOf(each))));
        const modules = medians(traced.map((each) => ownTimes(each.trace))).sort(([, a], [, b]) => b - a);
        tables.push(
          { title: `${name}: when, from the start of the process`, table: tableOf('Step', steps) },
          { title: `${name}: the ${shown} slowest modules`, table: tableOf('Module', modules.slice(0, shown)) },
        );
      }
      return { tables, data: tables, failures: [] };
    }),
};
