/** Our own words on a fault: unlike a library's message, this one holds no data and may be logged. */
export const tellable = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { isTellable: true });

/** The error's message, if it is in our own words. */
export const toldBy = (error: unknown): string | undefined =>
  error instanceof Error && 'isTellable' in error ? error.message : undefined;
