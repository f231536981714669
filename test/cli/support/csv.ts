/** The cells of a line of CSV. No cell of ours has a line break. */
export const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))(?=,|$)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );

/** The rows of a file by the names of its columns, every cell as the text that it is. */
export const recordsOf = (file: string): readonly Readonly<Record<string, string | undefined>>[] => {
  const [head = '', ...lines] = file
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
  const names = cellsOf(head);
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(names.map((name, place) => [name, cells[place]]));
  });
};
