/**
 * The payload of a body in `aws-chunked`, which the SDK sends when it signs or checks a stream: chunks with their sizes in
 * hexadecimal, each perhaps with a signature, and then trailers, which nobody needs here.
 */
export const withoutChunks = (body: Buffer): Buffer => {
  const chunks: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    const lineEnd = body.indexOf('\r\n', at);
    if (lineEnd < 0) break;
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) break;
    const from = lineEnd + lineBreakLength;
    chunks.push(body.subarray(from, from + size));
    at = from + size + lineBreakLength;
  }
  return Buffer.concat(chunks);
};

const lineBreakLength = 2;
