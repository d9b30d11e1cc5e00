#!/bin/bash
# Brings up a database that fails over, on this machine, to try it: etcd, two servers under Patroni, HAProxy. Until Ctrl+C.
#
#   deploy/ha/run.sh FOLDER              all of them; the first run makes the database in FOLDER
#   deploy/ha/run.sh FOLDER etcd|a|b|proxy  one of them in the foreground
#
# On Debian 12: apt-get install patroni python3-etcd etcd-server haproxy postgresql-15. As root it runs them as postgres, else as whoever
# calls it. Hosts and ports are those below, unless the environment has others.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?Name a folder for the database: deploy/ha/run.sh FOLDER}
part=${2:-all}

: "${DCS_HOST:=127.0.0.1}" "${DCS_PORT:=12379}" "${DCS_PEER_PORT:=12380}"
: "${A_HOST:=127.0.0.1}" "${A_PORT:=15432}" "${A_REST_PORT:=18008}"
: "${B_HOST:=127.0.0.1}" "${B_PORT:=15433}" "${B_REST_PORT:=18009}"
: "${PROXY_HOST:=127.0.0.1}" "${PROXY_PORT:=15430}"
: "${POSTGRES_BIN:=/usr/lib/postgresql/15/bin}"
export A_HOST A_PORT A_REST_PORT B_HOST B_PORT B_REST_PORT PROXY_HOST PROXY_PORT

unprivileged=()
if [ "$(id -u)" = 0 ]; then unprivileged=(setpriv --reuid=postgres --regid=postgres --init-groups); fi

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
for name in etcd a b; do
  mkdir -p -m 700 "$folder/$name"
  [ "$(id -u)" != 0 ] || chown postgres: "$folder/$name"
done
if [ ! -e "$folder/password" ]; then
  made=$(mktemp "$folder/password.XXXXXX")
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n' > "$made"
  # Of several that begin at once, the first one's holds.
  ln "$made" "$folder/password" 2> /dev/null || true
  rm "$made"
fi
password=$(cat "$folder/password")

etcd() {
  local url=http://$DCS_HOST:$DCS_PORT peer=http://$DCS_HOST:$DCS_PEER_PORT
  exec "${unprivileged[@]}" /usr/bin/etcd --name trial --data-dir "$folder/etcd/data" --logger zap --log-level error --enable-v2 \
    --listen-client-urls "$url" --advertise-client-urls "$url" \
    --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "trial=$peer"
}

# What server.env.example sets on a machine of its own.
server() {
  local name=$1 host=$2 port=$3 rest_port=$4
  export PATRONI_NAME=$name PATRONI_ETCD_HOSTS=$DCS_HOST:$DCS_PORT \
    PATRONI_RESTAPI_LISTEN=$host:$rest_port PATRONI_RESTAPI_CONNECT_ADDRESS=$host:$rest_port \
    PATRONI_POSTGRESQL_LISTEN=$host:$port PATRONI_POSTGRESQL_CONNECT_ADDRESS=$host:$port \
    PATRONI_POSTGRESQL_DATA_DIR=$folder/$name/data PATRONI_POSTGRESQL_BIN_DIR=$POSTGRES_BIN \
    PATRONI_POSTGRESQL_PGPASS=$folder/$name/pgpass \
    PATRONI_SUPERUSER_USERNAME=postgres PATRONI_SUPERUSER_PASSWORD=$password \
    PATRONI_REPLICATION_USERNAME=replicator PATRONI_REPLICATION_PASSWORD=$password PATRONI_LOG_LEVEL=${PATRONI_LOG_LEVEL:-WARNING}
  cd "$folder/$name"
  exec "${unprivileged[@]}" patroni "$here/patroni.yaml"
}

proxy() {
  exec "${unprivileged[@]}" haproxy -db -q -f "$here/haproxy.cfg"
}

all() {
  local parts=()
  for one in etcd a b proxy; do
    # In a session of its own: Ctrl+C reaches this script alone, which ends the servers before what they ask.
    setsid "$here/run.sh" "$folder" "$one" > "$folder/$one.log" 2>&1 < /dev/null &
    parts+=($!)
  done
  end() {
    trap - INT TERM EXIT
    kill "${parts[1]}" "${parts[2]}" 2> /dev/null || true
    wait "${parts[1]}" "${parts[2]}" || true
    kill "${parts[0]}" "${parts[3]}" 2> /dev/null || true
    wait || true
    exit "$1"
  }
  trap 'end 0' INT TERM
  trap 'end 1' EXIT
  # The first answer of the copy to this: it follows, and a commit waits for it.
  until curl -fso /dev/null "http://$A_HOST:$A_REST_PORT/sync" || curl -fso /dev/null "http://$B_HOST:$B_REST_PORT/sync"; do
    for one in "${parts[@]}"; do kill -0 "$one" || { tail -n 5 "$folder"/*.log; exit 1; }; done
    sleep 1
  done
  cat << TEXT
Ready. Foyer, with a SECRET_KEY of at least 32 characters, by both servers or by HAProxy:
  DATABASE_URL='postgres://postgres:$password@$A_HOST:$A_PORT,$B_HOST:$B_PORT/foyer'
  DATABASE_URL='postgres://postgres:$password@$PROXY_HOST:$PROXY_PORT/foyer'
Who writes:
  curl http://$A_HOST:$A_REST_PORT/cluster
TEXT
  wait -n || true
  echo "One of them has ended: see $folder/*.log"
}

case $part in
  all) all ;;
  etcd) etcd ;;
  a) server a "$A_HOST" "$A_PORT" "$A_REST_PORT" ;;
  b) server b "$B_HOST" "$B_PORT" "$B_REST_PORT" ;;
  proxy) proxy ;;
  *) echo "There is no $part: etcd, a, b or proxy" >&2 && exit 2 ;;
esac
