/** What can be said on the command line and in the environment. */
export const usage = `Usage: npm start -- [flags]        (npm needs the -- before flags)

  --port 3000            where callbacks are received; 0 picks a free port, as for the other two
  --dynamodb-port 8000   where the tables are
  --provider-port 4000   where the simulated contact centre is
  --provider URL         polls the agents of this service instead; nothing is simulated then
  --no-traffic           nobody calls and no agent is logged in until asked: see POST /_sandbox/agents
  --data DIR             keeps tables, events and parked callbacks in DIR between runs
  --quiet                prints nothing but errors
  --verbose              prints what the functions log as well
  --help                 prints this

  The agents of every account are polled every 15 seconds into the table callfeed-agents. At the gateway,
  GET /_sandbox/agents tells who is logged in at the simulated contact centre, and POST scripts it, by one step or a list:
                             {"action": "log-in" | "set-state" | "log-out", "agentId": "...", "account"?: "...",
                               "state"?: "READY", "name"?: "...", "phoneNumber"?: "...", "skills"?: ["..."]}

  CALLFEED_ACCOUNTS          a JSON list of accounts instead of the built-in one:
                             [{"userName": "...", "apiKeys": ["..."], "baseUrl"?: "...", "timeZone"?: "Asia/Kolkata",
                               "token"?: {"kind": "none"} | {"kind": "static", "value": "..."} | {"kind": "generate"}}]
  CALLFEED_CALLBACK_SECRET   callbacks must then come to /{secret}/callDetails; 16 to 128 of A-Z a-z 0-9 - . _ ~`;
