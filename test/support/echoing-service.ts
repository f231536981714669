import type { Answer, Handle, Received } from '../../sandbox/http/serve.ts';

/** What an agent of this service is called. */
interface Person {
  readonly name: string;
  readonly phoneNumber: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Everything that the request said, as a short text. */
const echo = ({ headers: { apikey, authorization }, body }: Received) => `${apikey} ${authorization} ${body}`;

/** A service that tells in its answers what it was asked with: how depends on the first part of the path. */
export const echoing =
  ({ name, phoneNumber }: Person): Handle =>
  async (request) => {
    const { path, headers } = request;
    const isForToken = path.endsWith('/generateToken');
    const said = echo(request);
    const agent = { AgentId: 'zaphod', AgentName: name, PhoneNumber: phoneNumber, AgentState: 'READY' };

    switch (path.split('/')[1]) {
      case 'echo-refusal':
        return json(200, { status: 'error', message: `Invalid: ${said}`, headers });
      case 'echo-fault':
        return { status: 500, headers: { 'content-type': 'text/plain' }, body: `Not found: ${said}` };
      case 'echo-redirect':
        return { status: 302, headers: { location: `http://127.0.0.1:9/?${encodeURIComponent(said)}` }, body: said };
      case 'echo-record':
        return json(200, { status: 'success', message: [{ ...agent, Echo: said, headers }, { headers }], headers });
      case 'echo-bad-token':
        return isForToken
          ? json(200, { token: 'SENTINEL-issued-token' })
          : json(401, { status: 'false', message: said, headers });
      default:
        return json(200, { error: said, headers });
    }
  };
