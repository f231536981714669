import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLambda } from '../../../bench/lambda/start-lambda.ts';

/** A function with this code, in a process of its own. */
const started = async (code: string, environment: Readonly<Record<string, string>> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-lambda-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'index.js'), code);
  const written: string[] = [];
  const lambda = await startLambda({ folder, environment, onOutput: (text) => written.push(text) });
  onTestFinished(() => lambda.stop());
  return { lambda, output: () => written.join('') };
};

describe('a function in a process of its own', () => {
  it('answers one event after the other, and tells what the process has taken', async () => {
    const { lambda } = await started('exports.handler = async ({ a }, { awsRequestId }) => ({ a, awsRequestId });');

    const [first, second] = [await lambda.invoke({ a: 1 }), await lambda.invoke({ a: 2 })];
    expect([first, second]).toEqual([
      expect.objectContaining({ result: { a: 1, awsRequestId: expect.any(String) }, error: undefined }),
      expect.objectContaining({ result: { a: 2, awsRequestId: expect.any(String) }, error: undefined }),
    ]);
    expect(second.result).not.toEqual({ ...Object(first.result), a: 2 });
    expect(second.cpuUs).toBeGreaterThan(first.cpuUs);
    expect(first.rssBytes).toBeGreaterThan(1_000_000);
    expect(lambda.readyMs).toBeGreaterThan(0);
  });

  it('has its environment and nothing of ours', async () => {
    const { lambda } = await started('exports.handler = async () => process.env;', { OWN: 'x' });

    const { result } = await lambda.invoke({});
    expect(result).toMatchObject({ OWN: 'x', AWS_REGION: 'eu-west-1' });
    expect(result).not.toHaveProperty('PATH');
  });

  it('tells what a handler throws, and goes on', async () => {
    const { lambda } = await started('exports.handler = async ({ bad }) => { if (bad) throw new TypeError("no"); };');

    expect((await lambda.invoke({ bad: true })).error).toEqual({ errorType: 'TypeError', errorMessage: 'no' });
    expect(await lambda.invoke({})).toMatchObject({ result: null, error: undefined });
  });

  it('is refused where its handler cannot be loaded', async () => {
    await expect(started('throw new Error("no settings")')).rejects.toThrow('no settings');
  });

  it('is told of where its process ends by itself, with what it wrote last', async () => {
    const { lambda, output } = await started('exports.handler = () => { console.log("bye"); process.exit(3); };');

    await expect(lambda.invoke({})).rejects.toThrow(/ended by itself:\s+bye/);
    expect(output()).toBe('bye\n');
  });
});
