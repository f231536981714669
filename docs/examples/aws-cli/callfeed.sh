# Readers of Callfeed's tables, for bash 3.2 or later and the AWS CLI. Use: . callfeed.sh
# The AWS CLI reads on by itself where an answer has several pages.

CALLS_TABLE=${CALLS_TABLE:-callfeed-calls}
AGENTS_TABLE=${AGENTS_TABLE:-callfeed-agents}

# key PART...: a key of the tables. Each part is encoded as by JavaScript's encodeURIComponent, and # goes between them.
key() {
  local part character encoded joined='' LC_ALL=C
  for part in "$@"; do
    encoded=''
    while [ -n "$part" ]; do
      character=${part%"${part#?}"}
      part=${part#?}
      case $character in
        [A-Za-z0-9._!~*\'\(\)-]) encoded+=$character ;;
        # Some shells tell bytes above 127 as negative numbers.
        *) encoded+=$(printf '%%%02X' "$(($(printf '%d' "'$character") & 255))") ;;
      esac
    done
    joined+="#$encoded"
  done
  printf '%s\n' "${joined#\#}"
}

# midnight TIME_ZONE: when today began there, in UTC, as the tables have instants.
midnight() {
  local seconds
  seconds=$(TZ=$1 date -d 'today 00:00' +%s 2>/dev/null || TZ=$1 date -v0H -v0M -v0S +%s)
  date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%S.000Z 2>/dev/null || date -u -r "$seconds" +%Y-%m-%dT%H:%M:%S.000Z
}

# feed ACCOUNT: how old the picture of the agents is.
feed() {
  local picture status as_of stale_at
  picture=$(aws dynamodb get-item --table-name "$AGENTS_TABLE" \
    --key '{"pk": {"S": "'"$(key "$1")"'"}, "sk": {"S": "feed"}}' \
    --query 'Item.[status.S, asOf.S, staleAt.S]' --output text) || return
  read -r status as_of stale_at <<<"$picture"
  # Instants can be compared as text. Nobody writes that the picture is stale if nobody polls: so the clock is asked.
  if [ -z "$as_of" ] || [ "$as_of" = None ]; then
    echo 'NEVER POLLED: nobody has seen the floor yet.'
  elif [ "$status" != live ] || [[ $(date -u +%Y-%m-%dT%H:%M:%S.999Z) > $stale_at ]]; then
    echo "STALE: this is how it was at $as_of"
  else
    echo "Live: seen at $as_of"
  fi
}

# floor_now ACCOUNT: how old the picture is, and every agent's state, since when, and skills.
floor_now() {
  feed "$1" || return
  aws dynamodb query --table-name "$AGENTS_TABLE" \
    --key-condition-expression 'pk = :account AND begins_with(sk, :agent)' \
    --expression-attribute-values '{":account": {"S": "'"$(key "$1")"'"}, ":agent": {"S": "agent#"}}' \
    --query 'Items[?state.S != `logged-out`].[state.S, agentId.S, since.S, join(`,`, skills.L[].S || `[]`)]' --output text
}

# missed_calls ACCOUNT FROM [TO]: the calls that nobody answered between two instants, newest first.
missed_calls() {
  # The filter is applied to what was read, so that all calls of the time are paid for.
  aws dynamodb query --table-name "$CALLS_TABLE" --index-name byTime --no-scan-index-forward \
    --key-condition-expression 'accountCalls = :account AND listedAt BETWEEN :from AND :to' \
    --filter-expression '#status = :missed AND (#type = :inbound OR attribute_not_exists(#type))' \
    --expression-attribute-names '{"#status": "status", "#type": "type"}' \
    --expression-attribute-values '{":account": {"S": "'"$(key "$1")"'"}, ":from": {"S": "'"$2"'"}, ":to": {"S": "'"${3:-9999}"'"},
      ":missed": {"S": "not-answered"}, ":inbound": {"S": "inbound"}}' \
    --query 'Items[].[listedAt.S, callId.S, customerNumber.S, skillName.S]' --output text
}

# one_call ACCOUNT CALL_ID: its legs (sk begins with leg#) and participants (participant#).
one_call() {
  aws dynamodb query --table-name "$CALLS_TABLE" \
    --key-condition-expression 'pk = :call' \
    --expression-attribute-values '{":call": {"S": "'"$(key "$1" "$2")"'"}}' \
    --query 'Items[].[sk.S, status.S || exitStatus.S, join(`,`, agentIds.L[].S || `[]`), join(`,`, dispositions.L[].S || `[]`), revision.N]' \
    --output text
}
