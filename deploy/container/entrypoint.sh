#!/bin/sh
# The first command of the container: sets the referee up where there is none yet, upgrades the
# database if UPGRADE=yes, then becomes the referee with the words it was given.
set -eu

if [ ! -e referee.toml ]; then
    for name in REFEREE_ADDRESS REFEREE_IMAP REFEREE_SMTP; do
        eval "value=\${$name:-}"
        if [ -z "$value" ]; then
            echo "referee: there is no referee.toml here yet: give $name to set one up" >&2
            exit 78
        fi
    done
    # The password comes from REFEREE_PASSWORD or REFEREE_PASSWORD_FILE and is written nowhere.
    referee init . \
        --address "$REFEREE_ADDRESS" --imap "$REFEREE_IMAP" --smtp "$REFEREE_SMTP" \
        --database "${REFEREE_DATABASE:-sqlite:///referee.db}" \
        --zone "${REFEREE_ZONE:-UTC}" --language "${REFEREE_LANGUAGE:-en}" \
        ${REFEREE_ORGANISER:+--organiser "$REFEREE_ORGANISER"}
fi

case "${UPGRADE:-}" in
yes) referee upgrade ;;
dumped) referee upgrade --dumped ;;
esac

exec referee "$@"
