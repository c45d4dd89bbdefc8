#!/bin/sh
# Writes the lines of `npm run org:move` from standard input to a proxy's table, replaces the organization's older lines, and
# reloads the proxy. docs/operations/groups.md explains it.
#
#     sh groups.reroute.sh haproxy /etc/haproxy/routes.map systemctl reload haproxy
#     sh groups.reroute.sh nginx /etc/nginx/moved.map systemctl reload nginx
set -eu
case $1 in haproxy) end= ;; nginx) end=';' ;; *) echo "haproxy or nginx, not $1" >&2; exit 2 ;; esac
table=$2
shift 2
# Several organizations may move at once.
exec 9> "$table.lock"
flock 9
lines=$(sed "/^#/!s/\$/$end/")
# This line precedes the lines of the organization's keys; the line of its subscribers' tokens is the last.
organization=$(printf '%s\n' "$lines" | head -n 1)
case $organization in '# '*) ;; *) echo 'These are not the lines of org:move.' >&2; exit 2 ;; esac
awk -v id="$organization" '/^#/ { old = $0 == id } !old; /^eyJ/ { old = 0 }' "$table" > "$table.new"
printf '%s\n' "$lines" >> "$table.new"
mv "$table.new" "$table"
"$@" 9>&-
