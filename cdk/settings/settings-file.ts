import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Chosen } from './chosen-in.ts';

/** Where settings are kept, so that every deployment has them. The CDK's own file of context is a cache that it clears. */
const defaultFile = 'callfeed.json';

const Content = z.record(z.string(), z.unknown());

/**
 * What stands in the file of settings, under what stands in the context. `settingsFile` names another file, or none with an
 * empty name.
 */
export const withSettingsFile = ({ settingsFile, ...context }: Chosen): Result<Chosen, readonly string[]> => {
  const file = typeof settingsFile === 'string' ? settingsFile : defaultFile;
  if (file === '' || (settingsFile === undefined && !existsSync(file))) return ok(context);
  if (!existsSync(file)) return fail([`settingsFile must be the name of a file, or empty: there is no ${file}.`]);

  const content = Content.safeParse(parsed(readFileSync(file, 'utf8')));
  return content.success ? ok({ ...content.data, ...context }) : fail([`${file} must hold a JSON object of settings.`]);
};
