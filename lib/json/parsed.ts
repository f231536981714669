/** What a JSON text holds, as JavaScript reads it; undefined, which no JSON means, if it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
