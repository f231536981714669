import { readFile } from 'node:fs/promises';
import { asyncApi } from './async-api.ts';
import { examples } from './examples.ts';
import { page } from './page.ts';
import { type Files, jsonText, schemaFiles } from './schema-files.ts';
import { story } from './story/story.ts';

const template = new URL('contract.template.md', import.meta.url);

/** Every file that tells the contract, as it should be now. */
export const contractFiles = async (): Promise<Files> => {
  const told = await story();
  return new Map([
    ['docs/contract.md', page(await readFile(template, 'utf8'), told)],
    ['docs/asyncapi.json', jsonText(asyncApi(examples(told)))],
    ...schemaFiles(),
  ]);
};
