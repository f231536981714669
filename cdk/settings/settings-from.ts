import * as z from 'zod';
import { fail, ok, type Result } from '../../lib/result.ts';
import { sentencesOf } from './sentences.ts';
import { StageSettings } from './stage-settings.ts';

type Context = Readonly<Record<string, unknown>>;

/** Names of settings are plain words; CDK's own context keys carry a colon, a slash or a hyphen. */
const isPlainWord = (name: string): boolean => /^\w+$/.test(name);

const stagesError = { error: 'must be an object that holds the settings of each stage under its name' };
const Stages = z.record(z.string(), z.record(z.string(), z.unknown(), stagesError), stagesError);

/** `-c name=value` hands over text, `cdk.json` may hold a number or a list: both are taken. */
const asTyped = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const setting = StageSettings.shape[name as keyof typeof StageSettings.shape];
  const schema: z.core.$ZodType | undefined = setting instanceof z.ZodDefault ? setting.unwrap() : setting;
  if (schema instanceof z.ZodArray) return value.split(',').map((item) => item.trim());
  const isNumber = schema instanceof z.ZodNumber || (schema instanceof z.ZodEnum && !isOfWords(schema));
  return isNumber && /^\d+$/.test(value) ? Number(value) : value;
};

const isOfWords = ({ options }: z.ZodEnum): boolean => options.every((option) => typeof option === 'string');

/** What stands in the context itself, over what stands under `stages` for the stage. */
const chosenIn = ({ stages, ...direct }: Context): Result<Context, readonly string[]> => {
  const known = Stages.optional().safeParse(stages);
  if (!known.success) return fail([`stages ${known.error.issues[0]?.message}.`]);

  const stage = typeof direct['stage'] === 'string' ? direct['stage'] : 'prod';
  return ok({ dataProtection: stage === 'prod' ? 'on' : 'off', ...known.data?.[stage], ...direct });
};

/** The settings in a CDK context, defaults filled in; or a sentence for each wrong one, never with its value. */
export const settingsFrom = (context: Context): Result<StageSettings, readonly string[]> => {
  const own = Object.fromEntries(Object.entries(context).filter(([name]) => isPlainWord(name)));
  const chosen = chosenIn(own);
  if (!chosen.ok) return chosen;

  const typed = Object.fromEntries(Object.entries(chosen.value).map(([name, value]) => [name, asTyped(name, value)]));
  const parsed = StageSettings.safeParse(typed);
  return parsed.success ? ok(parsed.data) : fail(sentencesOf(parsed.error, Object.keys(StageSettings.shape)));
};
