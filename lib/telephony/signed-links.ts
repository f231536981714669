/** The parameters of a signature, in small letters. A link without those that are required has no such signature. */
interface SignatureParameters {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const signatureV4 = (prefix: string): SignatureParameters => ({
  required: [`${prefix}-signature`, `${prefix}-credential`],
  optional: ['algorithm', 'date', 'expires', 'signedheaders', 'security-token', 'content-sha256'].map(
    (name) => `${prefix}-${name}`,
  ),
});

const signatureV2 = (key: string): SignatureParameters => ({
  required: ['signature', key],
  optional: ['expires', 'policy', 'hash-algorithm', 'security-token', 'x-amz-security-token'],
});

/** Stores of files sign a link for minutes or days, so the link to one file changes. */
const signatures: readonly SignatureParameters[] = [
  // Amazon S3 and the stores that copy it, since 2014; Google Cloud Storage.
  signatureV4('x-amz'),
  signatureV4('x-goog'),
  // The earlier ones of Amazon S3, Google and Alibaba; CloudFront.
  signatureV2('awsaccesskeyid'),
  signatureV2('googleaccessid'),
  signatureV2('ossaccesskeyid'),
  signatureV2('key-pair-id'),
  // Azure Storage.
  {
    required: ['sig', 'sv'],
    optional: [
      'se',
      'st',
      'sp',
      'sr',
      'ss',
      'srt',
      'spr',
      'sip',
      'si',
      'ses',
      'sdd',
      'skoid',
      'sktid',
      'skt',
      'ske',
      'sks',
      'skv',
      'skdutid',
      'sduoid',
      'saoid',
      'suoid',
      'scid',
    ],
  },
];

/** A link without its signature, if it has one. The question mark stays: without it this would be the link of a file that is not signed. */
export const withoutSignature = (link: string): string => {
  const query = link.indexOf('?') + 1;
  if (query === 0) return link;
  const nameOf = (parameter: string) => parameter.slice(0, `${parameter}=`.indexOf('=')).toLowerCase();
  const parameters = link.slice(query).split('&');
  const names = parameters.map(nameOf);
  const found = signatures
    .filter(({ required }) => required.every((name) => names.includes(name)))
    .flatMap(({ required, optional }) => [...required, ...optional]);
  const others = parameters.filter((parameter) => !found.includes(nameOf(parameter)));
  return link.slice(0, query) + others.join('&');
};

/**
 * Each recording once. Links that differ only by their signature are one recording: the last link stays, which works longest, in
 * the place of the first.
 */
export const eachRecordingOnce = <Text>(texts: readonly Text[]): readonly Text[] => {
  const byRecording = new Map<unknown, Text>();
  for (const text of texts) byRecording.set(typeof text === 'string' ? withoutSignature(text) : text, text);
  return [...byRecording.values()];
};
