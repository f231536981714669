import type * as z from 'zod';

/** A sentence for each setting that is wrong, never with its value; once, though a list may have several wrong items. */
export const sentencesOf = ({ issues }: z.core.$ZodError, known: readonly string[]): readonly string[] => [
  ...new Set(
    issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.join(', ')}: no such setting; there are ${known.join(', ')}.`
        : `${String(issue.path[0])} ${issue.message}.`,
    ),
  ),
];
