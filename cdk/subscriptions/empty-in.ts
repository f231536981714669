/** Where a pattern has an empty list or an object without fields, which EventBridge refuses; undefined if nowhere. */
export const emptyIn = (pattern: unknown, path: string): string | undefined => {
  if (typeof pattern !== 'object' || pattern === null) return undefined;

  const fields = Object.entries(pattern).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return path;
  if (Array.isArray(pattern)) return undefined;

  return fields.map(([field, value]) => emptyIn(value, `${path}.${field}`)).find((found) => found !== undefined);
};
