#!/bin/sh
# The first command of the mail container: puts the domain into the files, then starts both servers.
set -eu

: "${DOMAIN:?give DOMAIN, the part behind the @}"
# From copies nobody changes: a container that is started again finds its files as it left them.
for file in postfix/main.cf postfix/mailboxes dovecot/dovecot.conf; do
    sed "s/example\.org/$DOMAIN/g" "/usr/local/share/mail/${file##*/}" >"/etc/$file"
done
printf 'maillog_file = /dev/stdout\n' >>/etc/postfix/main.cf
printf 'log_path = /dev/stderr\n' >>/etc/dovecot/dovecot.conf

# Dovecot makes its sockets in Postfix's queue folder, so Postfix comes first.
postfix start-fg &
postfix=$!
dovecot -F &
dovecot=$!
trap 'kill "$postfix" "$dovecot" 2>/dev/null || true' TERM INT
# Whichever ends first ends the container, which is then started anew as a whole.
while kill -0 "$postfix" 2>/dev/null && kill -0 "$dovecot" 2>/dev/null; do
    sleep 5 &
    wait $! || true
done
kill "$postfix" "$dovecot" 2>/dev/null || true
wait || true
