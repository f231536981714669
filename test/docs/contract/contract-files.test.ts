import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contractFiles, staleFiles } from '../../../docs/contract/contract-files.ts';
import { eventSchemas } from '../../../lib/contract/events.ts';
import { runHere } from '../../support/run-here.ts';
import { eventFaults } from './support/event-bridge.ts';

const files = await contractFiles();

describe('a generated file', () => {
  it.each([...files])('is up to date: %s', async (path, text) => {
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is the same each time', async () => {
    expect([...(await contractFiles())]).toEqual([...files]);
  });

  it('passes npm run contract -- --check, which rejects any other argument', async () => {
    const contract = (...args: readonly string[]) => runHere(() => import('../../../docs/contract/main.ts'), { args });

    expect(await contract('--check')).toMatchObject({ code: 0, stderr: '' });
    expect(await contract('--chekc')).toMatchObject({ code: 2, stderr: expect.stringContaining('--check') });
  });
});

describe('staleFiles', () => {
  const expected = new Map([['docs/schemas/rows/call.schema.json', '{}\n']]);

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['names no file if all are up to date', { 'call.schema.json': '{}\n' }, []],
    ['names a file with another text', { 'call.schema.json': '{ }\n' }, ['docs/schemas/rows/call.schema.json']],
    ['names a missing file', {}, ['docs/schemas/rows/call.schema.json']],
    [
      'names a file that should no longer exist',
      { 'call.schema.json': '{}\n', 'x.json': '1' },
      ['docs/schemas/rows/x.json'],
    ],
  ])('%s', async (_title, present, stale) => {
    const root = await mkdtemp(join(tmpdir(), 'callfeed-contract-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await mkdir(join(root, 'docs/schemas/rows'), { recursive: true });
    for (const [name, text] of Object.entries(present)) await writeFile(join(root, 'docs/schemas/rows', name), text);

    expect(await staleFiles(root, expected)).toEqual(stale);
  });
});

const document = JSON.parse(readFileSync('docs/asyncapi.json', 'utf8'));
/** AsyncAPI's own schema is of draft 7, with keywords of its own. */
const validate = new Ajv({ strict: false, validateFormats: false }).compile(specs.schemasWithoutId['3.0.0']);

/** The target of a reference in the document. */
const resolved = ({ $ref }: { readonly $ref: string }) =>
  $ref
    .slice(2)
    .split('/')
    .reduce((within, step) => within[step], document);

describe('docs/asyncapi.json', () => {
  it('fits AsyncAPI’s own schema of version 3.0', () => {
    validate(document);

    expect(validate.errors).toBeNull();
  });

  it('has one message for each event, on the bus and in the operation', () => {
    const sent = document.operations.publish.messages.map(resolved).map(resolved);

    expect(sent.map(({ name }: { readonly name: string }) => name)).toEqual(Object.keys(eventSchemas));
    expect(Object.values<{ $ref: string }>(document.channels.bus.messages).map(resolved)).toEqual(sent);
  });

  it.each(Object.keys(eventSchemas))('refers to the schema of %s, which its example fits', (type) => {
    const { payload, examples } = document.components.messages[type.replaceAll(' ', '')];

    expect(JSON.parse(readFileSync(`docs/${payload.schema.$ref}`, 'utf8'))).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: type,
    });
    expect(eventFaults(examples[0].payload)).toEqual([]);
  });
});
