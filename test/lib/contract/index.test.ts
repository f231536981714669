import { build } from 'esbuild';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';
import { delivered } from '../../docs/contract/support/event-bridge.ts';
import { everyEvent } from '../../support/every-event.ts';

const bundled = await build({
  entryPoints: ['lib/contract/index.ts'],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  // Neither Node's modules nor anything else is found that a browser lacks.
  platform: 'neutral',
  mainFields: ['module', 'main'],
});

it('the contract’s entry pulls in zod and our own declarations, and nothing of AWS or of Node', () => {
  const packages = Object.keys(bundled.metafile.inputs).filter((input) => input.startsWith('node_modules/'));

  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter((input) => !input.startsWith('node_modules/zod/'))).toEqual([]);
  expect(bundled.warnings).toEqual([]);
});

it.each([
  ['English', undefined, /expected string/],
  ['the language that the program has chosen', z.locales.de(), /^Ungültige Eingabe/],
])('what is wrong with an event is said in %s', async (_title, language, problem) => {
  const before = z.config().localeError;
  onTestFinished(() => void z.config({ localeError: before }));
  z.config({ localeError: language?.localeError });
  vi.resetModules();
  const { NotACallfeedEvent, parseEvent } = await import('../../../lib/contract/index.ts');
  const [event] = (await everyEvent('keep')).map(delivered);
  const parsed = () => parseEvent({ ...event, detail: { ...Object(event?.['detail']), id: undefined } });

  expect(parsed).toThrow(NotACallfeedEvent);
  expect(parsed).toThrow(
    expect.objectContaining({ problems: [{ at: 'detail.id', problem: expect.stringMatching(problem) }] }),
  );
});
