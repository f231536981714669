import type { Answer, Request } from './send.ts';

/** What the receiver's address answered before it was used; the service takes anything but 200 for an invalid URL. */
export interface AddressCheck {
  /** Checks once, before the first post; again only as long as nobody answers at all. */
  readonly once: () => Promise<void>;
  /** The answers by method; undefined before the check. */
  readonly answers: () => Readonly<Record<'HEAD' | 'GET', Answer>> | undefined;
}

/** Checks an address with HEAD and GET. The simulator tells what it finds, and posts all the same. */
export const createAddressCheck = (
  url: string,
  ask: (request: Request) => Promise<Answer>,
  tell: (line: string) => void,
): AddressCheck => {
  let running: Promise<void> | undefined;
  let answers: { HEAD: Answer; GET: Answer } | undefined;

  const check = async (): Promise<void> => {
    answers = { HEAD: await ask({ method: 'HEAD', url }), GET: await ask({ method: 'GET', url }) };
    const { HEAD, GET } = answers;
    if (HEAD === 'stopped' || GET === 'stopped') return;

    const verdict = HEAD === 200 && GET === 200 ? 'accepted' : 'invalid URL: the service would not use it';
    tell(`address check: HEAD ${HEAD}, GET ${GET}, ${verdict}`);
    if (GET === 'network') running = undefined;
  };

  return {
    once() {
      running ??= check();
      return running;
    },
    answers: () => answers,
  };
};
