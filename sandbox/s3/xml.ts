/** An XML document of S3: the name of its root and what is in it. */
export const document = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`;

/** Elements with texts or numbers. Undefined leaves one out. */
export const elements = (values: Readonly<Record<string, string | number | boolean | undefined>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : `<${name}>${escaped(String(value))}</${name}>`))
    .join('');

/** The texts of all elements with a name. The SDK's requests have neither attributes nor CDATA in them. */
export const textsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => unescaped(text));

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' } as const;

const escaped = (text: string): string =>
  Object.entries(entities).reduce((changed, [character, entity]) => changed.replaceAll(character, entity), text);

const unescaped = (text: string): string =>
  Object.entries(entities).reduceRight(
    (changed, [character, entity]) => changed.replaceAll(entity, character),
    text.replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    ),
  );
