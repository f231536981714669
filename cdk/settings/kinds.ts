import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';

/** Text of a pattern; the error is what follows the setting's name. */
export const text = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

/** A number without a fraction. */
export const wholeNumber = (least: number, most: number, unit: string) => {
  const error = `must be a whole number of ${unit} from ${least} to ${most}`;

  return z.int({ error }).min(least, { error }).max(most, { error });
};

/** One of some words. */
export const oneOf = <const Word extends string>(...words: readonly Word[]) =>
  z.enum(words, { error: `must be ${words.join(' or ')}` });

/** A list without repeats. */
export const listOf = <Item extends z.ZodType>(item: Item, error: string) =>
  z.array(item, { error }).refine((list) => new Set(list).size === list.length, { error });

/** The lengths that CloudWatch can keep a log for; "for ever" is none. */
const logRetentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** How long CloudWatch keeps a log, in days. */
export const logRetention = () => {
  const error = `must be one of the numbers of days that CloudWatch knows: ${logRetentions.join(', ')}`;

  return z.enum(RetentionDays, { error }).refine((days) => logRetentions.includes(days), { error });
};
