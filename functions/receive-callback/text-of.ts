/** What of an event holds its body. */
interface Carrier {
  readonly body?: unknown;
  readonly isBase64Encoded: boolean;
}

/** The body as it was sent: API Gateway hands over in base64 what is no text by its type, such as a form. */
export const textOf = ({ body, isBase64Encoded }: Carrier): string => {
  const text = typeof body === 'string' ? body : '';
  return isBase64Encoded ? Buffer.from(text, 'base64').toString() : text;
};
