/** A deadline that no test should meet. */
export const inTime = (): AbortSignal => AbortSignal.timeout(15_000);
