/** What `parseArgs` says of wrong arguments, in one sentence: the others are advice that does not apply here. */
export const argumentsProblem = (error: unknown): string => {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
  return `${reason.replace(/\.$/, '')}.`;
};
