/** A client of which a test sees every command: what was sent, and how often AWS was called. */
export interface RecordingClient<Client> {
  readonly client: Client;
  readonly sent: { readonly name: string; readonly input: unknown }[];
}

type Send = (command: { readonly input: unknown }, ...rest: never[]) => Promise<unknown>;

/** Lets commands through to a real client and notes them. */
export const recordingClient = <Client extends { send: unknown }>(
  real: Client,
): RecordingClient<Pick<Client, 'send'>> => {
  const sent: { name: string; input: unknown }[] = [];
  const send = (command: { readonly input: unknown }, ...rest: never[]) => {
    sent.push({ name: command.constructor.name, input: command.input });
    return (real.send as Send).call(real, command, ...rest);
  };
  return { client: { send } as unknown as Pick<Client, 'send'>, sent };
};

/** Answers each command from a script instead of AWS; a function may throw. */
export const scriptedClient = <Client extends { send: unknown }>(
  ...answers: readonly (() => unknown)[]
): RecordingClient<Pick<Client, 'send'>> => {
  const sent: { name: string; input: unknown }[] = [];
  const send = async (command: { readonly input: unknown }) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push({ name: command.constructor.name, input: command.input });
    return answer?.();
  };
  return { client: { send } as unknown as Pick<Client, 'send'>, sent };
};
