/**
 * Stores of files sign a link for minutes or days, so the link to one file changes. The parameters of each signature, in small
 * letters, begin with the two that no signature of its kind lacks.
 */
const signatures: readonly (readonly string[])[] = [
  // Amazon S3 and the stores that copy it, since 2014; Google Cloud Storage.
  ...['x-amz', 'x-goog'].map((prefix) =>
    [
      'signature',
      'credential',
      'algorithm',
      'date',
      'expires',
      'signedheaders',
      'security-token',
      'content-sha256',
    ].map((name) => `${prefix}-${name}`),
  ),
  // The earlier ones of Amazon S3, Google and Alibaba; CloudFront.
  ...['awsaccesskeyid', 'googleaccessid', 'ossaccesskeyid', 'key-pair-id'].map((key) => [
    'signature',
    key,
    'expires',
    'policy',
    'hash-algorithm',
    'security-token',
    'x-amz-security-token',
  ]),
  // Azure Storage.
  'sig sv se st sp sr ss srt spr sip si ses sdd skoid sktid skt ske sks skv skdutid sduoid saoid suoid scid'.split(' '),
];

/** A link without its signature, if it has one. The question mark stays: without a signature it may be another link, that nobody may open. */
export const withoutSignature = (link: string): string => {
  const query = link.indexOf('?') + 1;
  if (query === 0) return link;
  const nameOf = (parameter: string) => parameter.slice(0, `${parameter}=`.indexOf('=')).toLowerCase();
  const parameters = link.slice(query).split('&');
  const names = parameters.map(nameOf);
  const found = signatures.filter((signature) => signature.slice(0, 2).every((name) => names.includes(name))).flat();
  const others = parameters.filter((parameter) => !found.includes(nameOf(parameter)));
  if (others.length === parameters.length) return link;
  return link.slice(0, query) + others.join('&');
};

/** The texts, each once. Of links that differ by their signatures the last one stays, which works longest, in the place of the first. */
export const eachRecordingOnce = <Text>(texts: readonly Text[]): readonly Text[] => [
  ...new Map(texts.map((text) => [typeof text === 'string' ? withoutSignature(text) : text, text])).values(),
];
