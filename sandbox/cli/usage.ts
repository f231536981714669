/** What can be said on the command line and in the environment. */
export const usage = `Usage: npm start -- [flags]        (npm needs the -- before flags)

  --port 3000            where callbacks are received; 0 picks a free port, as for the other two
  --dynamodb-port 8000   where the tables are
  --provider-port 4000   where the simulated contact centre is
  --provider URL         polls this service instead; nothing is simulated then
  --no-traffic           the simulated contact centre stays silent until asked
  --data DIR             keeps tables, events and parked callbacks in DIR between runs
  --quiet                prints nothing but errors
  --verbose              prints what the functions log as well
  --help                 prints this

  CALLFEED_ACCOUNTS          a JSON list of accounts instead of the built-in one:
                             [{"userName": "...", "apiKeys": ["..."], "baseUrl"?: "...", "timeZone"?: "Asia/Kolkata"}]
  CALLFEED_CALLBACK_SECRET   callbacks must then come to /{secret}/callDetails; 16 to 128 of A-Z a-z 0-9 - . _ ~`;
