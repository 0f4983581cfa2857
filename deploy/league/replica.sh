#!/bin/sh
# A copy of the database at $PRIMARY in $PGDATA that only reads, for the public pages: they take nothing from who writes.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    mkdir -p "$PGDATA"
    chmod 700 "$PGDATA"
    pg_basebackup --dbname="$PRIMARY" --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream --checkpoint=fast
fi
exec postgres -D "$PGDATA" -c hot_standby=on "$@"
