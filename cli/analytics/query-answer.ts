export type AnswerValue = string | number | boolean | null | readonly AnswerValue[];

export interface QueryAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly AnswerValue[])[];
}

/** A number; an integer that JavaScript would round stays text. */
export const exactNumber = (digits: string): number | string =>
  Number.isSafeInteger(Number(digits)) || !/^-?\d+$/.test(digits) ? Number(digits) : digits;
