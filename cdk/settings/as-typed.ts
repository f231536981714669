import * as z from 'zod';
import { StageSettings } from './stage-settings.ts';

/** `-c name=value` hands over text, a file of the CDK's may hold a number or a list: both are taken. */
export const asTyped = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const setting = StageSettings.shape[name as keyof typeof StageSettings.shape];
  const schema: z.core.$ZodType | undefined = setting instanceof z.ZodDefault ? setting.unwrap() : setting;
  if (schema instanceof z.ZodArray) return value.split(',').map((item) => item.trim());
  const isNumber = schema instanceof z.ZodNumber || (schema instanceof z.ZodEnum && !isOfWords(schema));
  return isNumber && /^\d+$/.test(value) ? Number(value) : value;
};

const isOfWords = ({ options }: z.ZodEnum): boolean => options.every((option) => typeof option === 'string');
