/** Takes everything. */
export const handler = async () => undefined;
