import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { captureFunctionOutput, type FunctionOutput } from '../../../sandbox/functions-host/function-output.ts';
import { loadFunction } from '../../../sandbox/functions-host/load-function.ts';

let logged: string[];
let output: FunctionOutput;

beforeEach(() => {
  logged = [];
  output = captureFunctionOutput((name, text) => logged.push(`${name}: ${text}`));
});
afterEach(() => output.release());

const load = async (source: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-'));
  await mkdir(join(folder, 'publish-changes'));
  await writeFile(join(folder, 'publish-changes', 'index.ts'), source);
  const address = pathToFileURL(`${folder}/`);

  return (timeoutMilliseconds?: number) => loadFunction(address, 'publish-changes', output, timeoutMilliseconds);
};

describe('loadFunction', () => {
  it('calls the handler with the event and a context', async () => {
    const loaded = await load('export const handler = async (event, context) => [event, context.functionName];');
    const invoke = await loaded();

    expect(await invoke({ a: 1 })).toEqual([{ a: 1 }, 'publish-changes']);
  });

  it('reads the module anew each time, as a cold start does', async () => {
    const loaded = await load('let calls = 0; export const handler = () => ++calls;');
    const [first, second] = [await loaded(), await loaded()];

    expect([await first({}), await first({}), await second({})]).toEqual([1, 2, 1]);
  });

  it('logs what the handler throws, and passes it on', async () => {
    const invoke = await (await load("export const handler = () => { throw new Error('broken'); };"))();

    await expect(invoke({})).rejects.toThrow('broken');
    expect(logged.join('')).toMatch(/^publish-changes: Error: broken\n/);
  });

  it('gives up on a handler that takes longer than it may when deployed', async () => {
    const loaded = await load('export const handler = () => new Promise(() => undefined);');
    const invoke = await loaded(20);

    await expect(invoke({})).rejects.toThrow('Task timed out after 0.02 seconds');
  });

  it('refuses a module without a handler', async () => {
    const loaded = await load('export const other = 1;');

    await expect(loaded()).rejects.toThrow('handler');
  });
});
