/** What one request to DynamoDB read and took. */
export interface Read {
  readonly operation: 'Query' | 'GetItem';
  readonly table: 'calls' | 'agents';
  readonly index: string | undefined;
  readonly rows: number;
  /** Read units, as DynamoDB counted them. */
  readonly units: number;
}
