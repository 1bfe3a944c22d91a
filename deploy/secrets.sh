#!/bin/sh
# Writes .env for docker-compose.yml: the public address given, and fresh secrets. Never overwrites one.
# usage: deploy/secrets.sh [http://localhost]
set -eu
cd "$(dirname "$0")/.."

url=${1:-http://localhost}
url=${url%/}
case $url in
  https://*) tls=true port=443 ;;
  http://*) tls=false port=80 ;;
  *) echo "not an address: $url (try https://results.example.org)" >&2; exit 1 ;;
esac
host=${url#*://}
case $host in
  */* | *\[* | '') echo "$url: a host name and perhaps a port, no path" >&2; exit 1 ;;
  *:*) port=${host##*:} host=${host%:*} ;;
esac
# With TLS a proxy on this machine has the public port, and nginx is open to it alone.
http_port=$port outer_proxy=unix:
[ $tls = false ] || http_port=127.0.0.1:8080 outer_proxy=172.16.0.0/12

random() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }
fill() {
  while IFS= read -r line; do
    case $line in
      *=@SECRET@) line=${line%@*@}$(random 32) ;;
      *=@KEY@) line=${line%@*@}$(random 10) ;;
      *=@URL@) line=${line%@*@}$url ;;
      *=@TEST_URL@) line=${line%@*@}${url%%://*}://test-${url#*://} ;;
      *=@HOST@) line=${line%@*@}$host ;;
      *=@PORT@) line=${line%@*@}$port ;;
      *=@HTTP_PORT@) line=${line%@*@}$http_port ;;
      *=@OUTER_PROXY@) line=${line%@*@}$outer_proxy ;;
      *=@TLS@) line=${line%@*@}$tls ;;
    esac
    printf '%s\n' "$line"
  done < deploy/compose.env.example
}

if [ -e .env ]; then
  echo ".env is there already: edit it, or move it away" >&2
  exit 1
fi
# Readable by its owner alone.
umask 077
fill > .env
echo "Wrote .env for $url"
