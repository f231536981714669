/** After so long without anything new the page is stale, whatever it last heard: something is published every minute. */
const staleAfterMs = 150_000;

const settings = await (await fetch('settings.json')).json();
const pageUrl = location.origin + location.pathname;
const [age, main] = [document.querySelector('#age'), document.querySelector('main')];
let shown;
let tokens;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
const bytesOf = (text) => new TextEncoder().encode(text);

/** Leaves for the log-in page, which comes back with a code. Nobody else can use the code without the verifier. */
const logIn = async () => {
  const [verifier, state] = [random(), random()];
  sessionStorage.setItem('log-in', JSON.stringify({ verifier, state }));
  const challenge = base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(verifier))));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: settings.ClientId,
    redirect_uri: pageUrl,
    scope: 'openid',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  location.assign(`${settings.LogIn}/oauth2/authorize?${query}`);
};

/** Exchanges a code or a refresh token for tokens, which only this page's memory has. False if the log-in is over. */
const getTokens = async (grant) => {
  const body = new URLSearchParams({ client_id: settings.ClientId, ...grant });
  const answer = await fetch(`${settings.LogIn}/oauth2/token`, { method: 'POST', body });
  if (answer.ok) tokens = { ...tokens, ...(await answer.json()) };
  return answer.ok;
};

const duration = (ms) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60
    ? `${seconds} s`
    : seconds < 3600
      ? `${Math.floor(seconds / 60)} min`
      : `${Math.floor(seconds / 3600)} h`;
};

const element = (name, ...children) => {
  const made = document.createElement(name);
  // As text, never as HTML: names come from outside.
  made.append(...children);
  return made;
};

const draw = () => {
  if (shown === undefined) return;
  const now = Date.now();
  const isOld = now - Date.parse(shown.readAt) > staleAfterMs;
  const isStale = shown.freshness !== 'live' || isOld;
  document.body.classList.toggle('stale', isStale);
  const since = shown.asOf === undefined ? 'never polled' : `seen ${duration(now - Date.parse(shown.asOf))} ago`;
  age.textContent = `${isStale ? 'STALE' : 'Live'}: ${since}.`;
  const byState = Map.groupBy(shown.agents, ({ state }) => state);
  const sections = [...byState]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([state, agents]) => {
      const rows = agents
        .toSorted((a, b) => a.since.localeCompare(b.since))
        .map(({ name, since }) => element('li', name, element('span', duration(now - Date.parse(since)))));
      return element('section', element('h2', `${state} ${agents.length}`), element('ul', ...rows));
    });
  main.replaceChildren(...sections);
};

/** Shows what was read last: two publications may overtake each other. */
const show = (event) => {
  if (shown === undefined || event.readAt > shown.readAt) shown = event;
  draw();
};

/** Connects, subscribes, and shows what comes. Resolves when the connection has ended. */
const watch = () =>
  new Promise((resolve) => {
    const authorization = { host: settings.HttpHost, Authorization: tokens.id_token };
    const header = `header-${base64url(bytesOf(JSON.stringify(authorization)))}`;
    const socket = new WebSocket(`wss://${settings.RealtimeHost}/event/realtime`, ['aws-appsync-event-ws', header]);
    let silence;
    let silenceMs = 30_000;
    // A dead connection does not always close. Of a living one something is heard within the time that it names.
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.close(), silenceMs);
    };
    const send = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => send({ type: 'connection_init' });
    socket.onclose = () => {
      clearTimeout(silence);
      resolve();
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'connection_ack') {
        silenceMs = message.connectionTimeoutMs ?? silenceMs;
        send({ type: 'subscribe', id: crypto.randomUUID(), channel: '/floor/now', authorization });
      }
      if (message.type.endsWith('error')) socket.close();
      if (message.type === 'data') for (const event of [message.event].flat()) show(JSON.parse(event));
      heard();
    };
    heard();
  });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const query = new URLSearchParams(location.search);
const { verifier, state } = JSON.parse(sessionStorage.getItem('log-in') ?? '{}');
sessionStorage.removeItem('log-in');
history.replaceState(undefined, '', pageUrl);
const isBack = query.has('code') && state !== undefined && query.get('state') === state;
const code = {
  grant_type: 'authorization_code',
  code: query.get('code') ?? '',
  redirect_uri: pageUrl,
  code_verifier: verifier,
};

if (isBack && (await getTokens(code))) {
  age.textContent = 'Waiting for the agents …';
  setInterval(draw, 1000);
  for (;;) {
    await watch();
    await pause(5_000 + 5_000 * Math.random());
    // Without a network this fails, and the page goes on trying.
    const isLoggedIn = await getTokens({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }).catch(
      () => true,
    );
    if (!isLoggedIn) break;
  }
}
await logIn();
