import * as z from 'zod';
import { fail, ok, type Result } from '../../lib/result.ts';

/** Settings by their names, of whatever values. */
export type Chosen = Readonly<Record<string, unknown>>;

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
export const chosenIn = ({ stages, ...direct }: Chosen): Result<Chosen, readonly string[]> => {
  const known = Stages.optional().safeParse(stages);
  if (!known.success) return fail([`stages ${known.error.issues[0]?.message}.`]);

  const stage = typeof direct['stage'] === 'string' ? direct['stage'] : 'prod';
  const names = Object.keys(known.data ?? { [stage]: {} });
  if (!names.includes(stage)) return fail([`stage must be one of those under stages: ${names.join(', ')}.`]);

  return ok({ ...known.data?.[stage], ...direct });
};
