/** The types of Glue and Athena by the names that DuckDB has for those of results. */
export const glueTypes: Readonly<Record<string, string>> = {
  VARCHAR: 'string',
  INTEGER: 'int',
  BIGINT: 'bigint',
  HUGEINT: 'bigint',
  DOUBLE: 'double',
  TIMESTAMP: 'timestamp',
  'VARCHAR[]': 'array<string>',
  'BOOLEAN[]': 'array<boolean>',
  'DOUBLE[]': 'array<double>',
};
