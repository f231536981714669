/** Every text, number and name in a value, flat. */
export const textsIn = (value: unknown): readonly string[] => {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null || typeof next !== 'object') texts.push(String(next));
    else if (Array.isArray(next)) open.push(...next);
    else for (const [name, inner] of Object.entries(next)) open.push(name, inner);
  }
  return texts;
};
