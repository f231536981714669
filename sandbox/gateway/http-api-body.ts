const textual = /^(?:text\/.*|application\/(?:json|xml|javascript))$/i;

/** The body as an HTTP API passes it on: text for a few types, base64 for all others, forms among them; none if empty. */
export const httpApiBody = (
  body: Buffer,
  contentType = '',
): { readonly body?: string; readonly isBase64Encoded: boolean } => {
  if (body.length === 0) return { isBase64Encoded: false };

  const [mediaType = ''] = contentType.split(';');
  const isText = textual.test(mediaType.trim());
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
};
