import { describe, expect, it } from 'vitest';
import { eachRecordingOnce, withoutSignature } from '../../../lib/telephony/signed-links.ts';

const file = 'https://files.example.com/demo/1.mp3';

describe('withoutSignature', () => {
  it.each([
    ['Amazon S3', 'X-Amz-Algorithm=A&X-Amz-Credential=k%2Fs3&X-Amz-Date=D&X-Amz-Expires=9&X-Amz-Signature=s', ''],
    ['Amazon S3 with a session', 'X-Amz-Security-Token=t&X-Amz-Credential=k&X-Amz-Signature=s&version=7', 'version=7'],
    ['Amazon S3 before 2014', 'AWSAccessKeyId=k&Expires=9&Signature=s%3D', ''],
    ['CloudFront', 'color=red&Expires=9&Signature=s~&Key-Pair-Id=K', 'color=red'],
    ['CloudFront with a policy', 'Policy=p__&Signature=s&Key-Pair-Id=K&Hash-Algorithm=SHA256', ''],
    ['Google Cloud Storage', 'X-Goog-Algorithm=A&X-Goog-Credential=c&X-Goog-Expires=9&X-Goog-Signature=s', ''],
    ['Google Cloud Storage before', 'GoogleAccessId=a&Expires=9&Signature=s', ''],
    ['Azure Storage', 'sv=2024-11-04&st=a&se=b&sr=b&sp=r&spr=https&sig=s%2B', ''],
    ['Azure Storage by a user’s key', 'sp=r&skoid=a&sktid=b&skt=c&ske=d&sks=b&skv=e&sv=f&sig=s&id=1', 'id=1'],
    ['Alibaba Cloud', 'OSSAccessKeyId=k&Expires=9&Signature=s&x-oss-process=audio', 'x-oss-process=audio'],
  ])('leaves out that of %s, and nothing else', (_store, query, rest) => {
    expect(withoutSignature(`${file}?${query}`)).toBe(`${file}?${rest}`);
    expect(withoutSignature(`${file}?${query.toLowerCase()}`)).toBe(`${file}?${rest.toLowerCase()}`);
  });

  it.each([
    file,
    `${file}?`,
    `${file}?Expires=9`,
    `${file}?Signature=s&Expires=9`,
    `${file}?sig=s&se=b`,
    `${file}?sv=1&sp=2&id=3`,
    `${file}?X-Amz-Expires=9`,
    `${file}?token=abc`,
    'https://files.example.com/&X-Amz-Signature=s&X-Amz-Credential=k',
    '',
  ])('leaves %s as it is', (link) => {
    expect(withoutSignature(link)).toBe(link);
  });
});

it('a recording is in a list once, with its last signature in its first place', () => {
  const signed = (name: string, nth: number) => `${file}?id=${name}&sv=1&sig=${nth}`;

  expect(eachRecordingOnce([signed('a', 1), file, signed('b', 1), signed('a', 2), file, 7])).toEqual([
    signed('a', 2),
    file,
    signed('b', 1),
    7,
  ]);
});
