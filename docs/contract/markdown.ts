/** A part of a page that is generated: its name is in the comment before it. */
const generatedPart = /(?<=^<!-- generated: ([\w-]+) -->\n).*?(?=^<!-- end -->$)/gms;

/** A page with its generated parts made anew, by their names. Throws for a name that has no part. */
export const filled = (page: string, parts: Readonly<Record<string, string>>): string =>
  page.replaceAll(generatedPart, (_text, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`A page names an unknown part: ${name}`);
    return `\n${part}\n\n`;
  });

/** The names of a page's generated parts. */
export const partsOf = (page: string): readonly string[] =>
  [...page.matchAll(generatedPart)].map(([, name = '']) => name);

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

/** A block of JSON, in which a list of plain values takes one line. */
export const jsonBlock = (value: unknown): string => {
  const compact = JSON.stringify(value, undefined, 2).replaceAll(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/g,
    (_list, values: string) => `[${values.replaceAll(/\n\s+/g, ' ')}]`,
  );
  return `\`\`\`json\n${compact}\n\`\`\``;
};

export const code = (text: string): string => `\`${text}\``;

/** The link to a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`;
