/** What a DynamoDB client asks for: the operation by its name, and its JSON. */
export interface WireRequest {
  readonly operation: string;
  readonly body: string;
}

/** What it is answered, as DynamoDB does: 200, or 400 and what was wrong. */
export interface WireAnswer {
  readonly status: 200 | 400;
  readonly body: string;
}

/** A successful answer. */
export const answered = (output: object): WireAnswer => ({ status: 200, body: JSON.stringify(output) });

/** A refusal; some tell more than their type. */
export const refused = (type: string, more: object = {}): WireAnswer => ({
  status: 400,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type, ...more }),
});
