#!/bin/sh
# Once, when the database is made: replicas may log in.
echo "host replication all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
