/** How many bytes a value takes as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
