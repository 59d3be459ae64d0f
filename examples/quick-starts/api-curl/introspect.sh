#!/bin/sh
set -eu
# $1 is the access token that your API has received.
curl --silent --show-error --fail-with-body https://id.example.com/introspect \
  --user "YOUR_CLIENT_ID:$VRATA_CLIENT_SECRET" \
  --data-urlencode "token=$1"
