type Send = (command: { readonly input: unknown }, ...rest: never[]) => Promise<unknown>;

/** A client that answers by a function, and records every command. */
const recording = <Client extends { send: unknown }>(answer: Send) => {
  const sent: { readonly name: string; readonly input: unknown }[] = [];
  const send: Send = (command, ...rest) => {
    sent.push({ name: command.constructor.name, input: command.input });
    return answer(command, ...rest);
  };
  return { client: { send } as unknown as Pick<Client, 'send'>, sent };
};

/** Passes commands to a real client and records them. */
export const recordingClient = <Client extends { send: unknown }>(real: Client) =>
  recording<Client>((...sent) => (real.send as Send).apply(real, sent));

/** Answers each command from a script instead of AWS. A function may throw; the last one answers all further commands. */
export const scriptedClient = <Client extends { send: unknown }>(...answers: readonly (() => unknown)[]) => {
  const left = [...answers];
  return recording<Client>(async () => (left.length > 1 ? left.shift() : left[0])?.());
};
