# Reads Callfeed's tables, with bash 3.2 or later and the AWS CLI. Use: . callfeed.sh
# The AWS CLI reads all pages of an answer.

CALLS_TABLE=${CALLS_TABLE:-callfeed-calls}
AGENTS_TABLE=${AGENTS_TABLE:-callfeed-agents}

# key PART...: a key of the tables. Each part is encoded as by JavaScript's encodeURIComponent; # joins the parts.
key() {
  local part character encoded joined='' LC_ALL=C
  for part in "$@"; do
    encoded=''
    while [ -n "$part" ]; do
      character=${part%"${part#?}"}
      part=${part#?}
      case $character in
        [A-Za-z0-9._!~*\'\(\)-]) encoded+=$character ;;
        # Some shells print bytes above 127 as negative numbers.
        *) encoded+=$(printf '%%%02X' "$(($(printf '%d' "'$character") & 255))") ;;
      esac
    done
    joined+="#$encoded"
  done
  printf '%s\n' "${joined#\#}"
}

# midnight TIME_ZONE: the start of today in a time zone, in UTC and in the form of the tables.
midnight() {
  local seconds
  seconds=$(TZ=$1 date -d 'today 00:00' +%s 2>/dev/null || TZ=$1 date -v0H -v0M -v0S +%s)
  date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%S.000Z 2>/dev/null || date -u -r "$seconds" +%Y-%m-%dT%H:%M:%S.000Z
}

# feed ACCOUNT: how old the data about agents is.
feed() {
  local feed status as_of stale_at
  feed=$(aws dynamodb get-item --table-name "$AGENTS_TABLE" \
    --key '{"pk": {"S": "'"$(key "$1")"'"}, "sk": {"S": "feed"}}' \
    --query 'Item.[status.S, asOf.S, staleAt.S]' --output text) || return
  read -r status as_of stale_at <<<"$feed"
  # Instants compare as text. A stopped poller writes no status, so the clock decides as well.
  if [ -z "$as_of" ] || [ "$as_of" = None ]; then
    echo 'NEVER POLLED: no poll has succeeded yet.'
  elif [ "$status" != live ] || [[ $(date -u +%Y-%m-%dT%H:%M:%S.999Z) > $stale_at ]]; then
    echo "STALE: last seen at $as_of"
  else
    echo "Live: seen at $as_of"
  fi
}

# printed COMMAND...: what a command prints, without the control characters by which a sender could rewrite a terminal. Tabs and
# line ends stay.
printed() (
  set -o pipefail
  "$@" | LC_ALL=C sed $'s/\xc2[\x80-\x9f]//g' | LC_ALL=C tr -d '\000-\010\013-\037\177'
)

# floor_now ACCOUNT: how old the data is, and each agent's state, id, start of the state, and skills.
floor_now() {
  feed "$1" || return
  printed aws dynamodb query --table-name "$AGENTS_TABLE" \
    --key-condition-expression 'pk = :account AND begins_with(sk, :agent)' \
    --expression-attribute-values '{":account": {"S": "'"$(key "$1")"'"}, ":agent": {"S": "agent#"}}' \
    --query 'Items[?state.S != `logged-out`].[state.S, agentId.S, since.S, join(`,`, skills.L[].S || `[]`)]' --output text
}

# missed_calls ACCOUNT FROM [TO]: the missed calls between two instants by the contract's rule, newest first.
missed_calls() {
  # DynamoDB filters after reading, so you pay for all calls of the range.
  printed aws dynamodb query --table-name "$CALLS_TABLE" --index-name byTime --no-scan-index-forward \
    --key-condition-expression 'accountCalls = :account AND listedAt BETWEEN :from AND :to' \
    --filter-expression '#status = :missed AND (#type = :inbound OR attribute_not_exists(#type))' \
    --expression-attribute-names '{"#status": "status", "#type": "type"}' \
    --expression-attribute-values '{":account": {"S": "'"$(key "$1")"'"}, ":from": {"S": "'"$2"'"}, ":to": {"S": "'"${3:-9999}"'"},
      ":missed": {"S": "not-answered"}, ":inbound": {"S": "inbound"}}' \
    --query 'Items[].[listedAt.S, callId.S, customerNumber.S, skillName.S]' --output text
}

# one_call ACCOUNT CALL_ID: the call (sk is call) and its participants (sk begins with participant#).
one_call() {
  printed aws dynamodb query --table-name "$CALLS_TABLE" \
    --key-condition-expression 'pk = :call' \
    --expression-attribute-values '{":call": {"S": "'"$(key "$1" "$2")"'"}}' \
    --query 'Items[].[sk.S, status.S || exitStatus.S, join(`,`, agentIds.L[].S || `[]`), join(`,`, dispositions.L[].S || `[]`), revision.N]' \
    --output text
}
