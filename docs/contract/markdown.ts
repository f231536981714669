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

/** A table in Markdown. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

/** A block of JSON. A list of plain values takes one line, and so does a text in DynamoDB’s JSON. */
export const jsonBlock = (value: unknown): string =>
  `\`\`\`json\n${compact(JSON.stringify(value, undefined, 2))}\n\`\`\``;

/** A block of JSON in one line. */
export const jsonLine = (value: unknown): string => `\`\`\`json\n${spaced(JSON.stringify(value))}\n\`\`\``;

/** Text in a code span. */
export const code = (text: string): string => `\`${text}\``;

/** The link to a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`;

/** The link to the section of a schema, from any page of the contract. */
export const linkTo = (title: string): string =>
  `${title === 'Stored delivery' || title === 'Call' || title === 'Agent now' ? 'rows' : 'events'}.md${anchorOf(title)}`;

const spaced = (json: string): string => json.replaceAll(/(?<=["\]}\d]),(?=["[{])|(?<="):/g, (mark) => `${mark} `);

const compact = (json: string): string =>
  json
    .replaceAll(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_list, values: string) => `[${values.replaceAll(/\n\s+/g, ' ')}]`)
    .replaceAll(/\{\n\s+("S": "[^"]*")\n\s+\}/g, '{ $1 }');
