/**
 * The media type under which a recording is stored and served: what its host named, if that is a plain type of audio or video.
 * A browser would run what another type holds, and reads any `+xml` as a document.
 */
export const recordingType = (named: string | undefined): string =>
  /^(?:audio|video)\/[a-z\d.-]{1,100}(?=$|[\s;,])/i.exec(named ?? '')?.[0].toLowerCase() ?? 'application/octet-stream';
