/**
 * A row is not as this version of the client declares it: it was written by something else, or by a version of Callfeed
 * that changed the meaning of fields. Names the kind of row and its fields, and never a value.
 */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  /** The kind of row, by its name in the contract, such as `AgentNow`. */
  readonly row: string;
  /** The fields that are not as declared. */
  readonly fields: readonly string[];

  constructor(row: string, fields: readonly string[]) {
    super(`A row ${row} is not as this version of the client declares it: ${fields.join(', ')}`);
    this.row = row;
    this.fields = fields;
  }
}
