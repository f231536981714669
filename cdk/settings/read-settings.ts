import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { StageSettings, validSettings } from './settings.ts';

export type SettingsInput = Readonly<Record<string, unknown>>;

export const readSettings = (context: SettingsInput): Result<StageSettings, readonly string[]> => {
  const input = withSettingsFile(context);
  return input.ok ? parseSettings(input.value) : input;
};

/** Holds the settings of every deployment. CDK's own `cdk.context.json` is a cache, which CDK may clear. */
const defaultFile = 'callfeed.json';

/** The context over the settings file, which `settingsFile` in the context names; an empty name means no file. */
export const withSettingsFile = (input: SettingsInput): Result<SettingsInput, readonly string[]> => {
  const { settingsFile, ...context } = input;
  const file = typeof settingsFile === 'string' ? settingsFile : defaultFile;
  if (file === '' || (settingsFile === undefined && !existsSync(file))) return ok(context);
  if (!existsSync(file)) return fail([`settingsFile must name an existing file or be empty: there is no ${file}.`]);

  const content = z.record(z.string(), z.unknown()).safeParse(tryParseJson(readFileSync(file, 'utf8')));
  return content.success ? ok({ ...content.data, ...context }) : fail([`${file} must hold a JSON object of settings.`]);
};

export const parseSettings = (context: SettingsInput): Result<StageSettings, readonly string[]> => {
  const misspelt = misspeltSettings(context);
  if (misspelt.length > 0) return fail(misspelt);

  // Names of settings are plain words. CDK's own context keys have a colon, a slash or a hyphen.
  const input = Object.fromEntries(Object.entries(context).filter(([name]) => /^\w+$/.test(name)));
  const ofStage = stageSettingsIn(input);
  if (!ofStage.ok) return ofStage;

  const typed = Object.fromEntries(
    Object.entries(ofStage.value).map(([name, value]) => [name, parseSetting(name, value)]),
  );
  return validSettings(StageSettings, names, typed);
};

const names = [...Object.keys(StageSettings.shape), 'stages', 'settingsFile'];

/** Keys that are a setting in another spelling, such as `call-retention-days`. CDK would ignore them silently. */
const misspeltSettings = (context: SettingsInput): readonly string[] =>
  Object.keys(context).flatMap((key) => {
    const meant = names.find((name) => name !== key && lettersOf(name) === lettersOf(key));
    return meant === undefined ? [] : [`${key}: unknown setting; did you mean ${meant}?`];
  });

const lettersOf = (name: string): string => name.replaceAll(/\W/g, '').toLowerCase();

const stagesError = { error: 'must be an object with the settings of each stage under its name' };
const Stages = z
  .record(z.string(), z.record(z.string(), z.unknown(), stagesError), stagesError)
  .refine((stages) => Object.values(stages).every((settings) => !Object.hasOwn(settings, 'stage')), {
    error: 'must not contain the setting stage: the key of each entry is its stage',
  });

/** Settings at the top level win. A stage that `stages` does not have is refused: a typing mistake would deploy another stack. */
const stageSettingsIn = ({ stages, ...topLevel }: SettingsInput): Result<SettingsInput, readonly string[]> => {
  const known = Stages.optional().safeParse(stages);
  if (!known.success) return fail([`stages ${known.error.issues[0]?.message}.`]);

  const stage = typeof topLevel['stage'] === 'string' ? topLevel['stage'] : 'prod';
  const stageNames = Object.keys(known.data ?? { [stage]: {} });
  if (!stageNames.includes(stage)) return fail([`stage must be one of those under stages: ${stageNames.join(', ')}.`]);

  return ok({ ...known.data?.[stage], ...topLevel });
};

/** A setting's value. `-c name=value` passes text, and a JSON file may have a number or a list: both are accepted. */
const parseSetting = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const setting = StageSettings.shape[name as keyof typeof StageSettings.shape];
  const isWrapped = setting instanceof z.ZodDefault || setting instanceof z.ZodOptional;
  const schema: z.core.$ZodType | undefined = isWrapped ? setting.unwrap() : setting;
  if (schema instanceof z.ZodArray) return value.split(',').map((item) => item.trim());
  const isNumber =
    schema instanceof z.ZodNumber || (schema instanceof z.ZodEnum && schema.options.some(Number.isInteger));
  return isNumber && /^\d+$/.test(value) ? Number(value) : value;
};
