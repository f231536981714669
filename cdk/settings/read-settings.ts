import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/parse-json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { errorMessages, unusedSettings } from './check-settings.ts';
import { StageSettings } from './settings.ts';

/** `-c name=value` hands over text, a file of the CDK's may hold a number or a list: both are taken. */
const parseSetting = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const setting = StageSettings.shape[name as keyof typeof StageSettings.shape];
  const schema: z.core.$ZodType | undefined = setting instanceof z.ZodDefault ? setting.unwrap() : setting;
  if (schema instanceof z.ZodArray) return value.split(',').map((item) => item.trim());
  const isNumber = schema instanceof z.ZodNumber || (schema instanceof z.ZodEnum && !isOfWords(schema));
  return isNumber && /^\d+$/.test(value) ? Number(value) : value;
};

const isOfWords = ({ options }: z.ZodEnum): boolean => options.every((option) => typeof option === 'string');

/** Settings by their names, of whatever values. */
export type SettingsInput = Readonly<Record<string, unknown>>;

const stagesError = { error: 'must be an object that holds the settings of each stage under its name' };
const Stages = z
  .record(z.string(), z.record(z.string(), z.unknown(), stagesError), stagesError)
  .refine((stages) => Object.values(stages).every((settings) => !Object.hasOwn(settings, 'stage')), {
    error: 'must not set stage: the name under which the settings stand is the stage',
  });

/**
 * The settings of the stage that is chosen: what stands directly, over what stands under `stages` for it. Where there are
 * stages it has to be one of them, or a slip of the pen would deploy another stack.
 */
const stageSettingsIn = ({ stages, ...direct }: SettingsInput): Result<SettingsInput, readonly string[]> => {
  const known = Stages.optional().safeParse(stages);
  if (!known.success) return fail([`stages ${known.error.issues[0]?.message}.`]);

  const stage = typeof direct['stage'] === 'string' ? direct['stage'] : 'prod';
  const names = Object.keys(known.data ?? { [stage]: {} });
  if (!names.includes(stage)) return fail([`stage must be one of those under stages: ${names.join(', ')}.`]);

  return ok({ ...known.data?.[stage], ...direct });
};

const names = [...Object.keys(StageSettings.shape), 'stages', 'settingsFile'];

/** Names of settings are plain words; CDK's own context keys carry a colon, a slash or a hyphen. */
const isPlainWord = (name: string): boolean => /^\w+$/.test(name);

const lettersOf = (name: string): string => name.replaceAll(/\W/g, '').toLowerCase();

/** Keys that CDK would pass over, though they are settings in another spelling, such as `call-retention-days`. */
const misspeltSettings = (context: SettingsInput): readonly string[] =>
  Object.keys(context).flatMap((key) => {
    const meant = names.find((name) => name !== key && lettersOf(name) === lettersOf(key));
    return meant === undefined ? [] : [`${key}: no such setting; it is spelt ${meant}.`];
  });

/** The settings in a CDK context, defaults filled in; or a sentence for each wrong one, never with its value. */
export const parseSettings = (context: SettingsInput): Result<StageSettings, readonly string[]> => {
  const slips = misspeltSettings(context);
  if (slips.length > 0) return fail(slips);

  const own = Object.fromEntries(Object.entries(context).filter(([name]) => isPlainWord(name)));
  const chosen = stageSettingsIn(own);
  if (!chosen.ok) return chosen;

  const typed = Object.fromEntries(
    Object.entries(chosen.value).map(([name, value]) => [name, parseSetting(name, value)]),
  );
  const parsed = StageSettings.safeParse(typed);
  if (!parsed.success) return fail(errorMessages(parsed.error, names));

  const idle = unusedSettings(parsed.data);
  return idle.length === 0 ? ok(parsed.data) : fail(idle);
};

/** Where settings are kept, so that every deployment has them. The CDK's own file of context is a cache that it clears. */
const defaultFile = 'callfeed.json';

const Content = z.record(z.string(), z.unknown());

/**
 * What stands in the file of settings, under what stands in the context. `settingsFile` names another file, or none with an
 * empty name.
 */
export const withSettingsFile = ({
  settingsFile,
  ...context
}: SettingsInput): Result<SettingsInput, readonly string[]> => {
  const file = typeof settingsFile === 'string' ? settingsFile : defaultFile;
  if (file === '' || (settingsFile === undefined && !existsSync(file))) return ok(context);
  if (!existsSync(file)) return fail([`settingsFile must be the name of a file, or empty: there is no ${file}.`]);

  const content = Content.safeParse(tryParseJson(readFileSync(file, 'utf8')));
  return content.success ? ok({ ...content.data, ...context }) : fail([`${file} must hold a JSON object of settings.`]);
};

/** The settings in a CDK context and in the file of settings, or a sentence for each wrong one. */
export const readSettings = (context: SettingsInput): Result<StageSettings, readonly string[]> => {
  const chosen = withSettingsFile(context);
  return chosen.ok ? parseSettings(chosen.value) : chosen;
};
