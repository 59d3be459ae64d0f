#!/bin/sh
set -eu
# The token that came to your API with the request.
curl --silent --show-error --fail-with-body https://id.example.com/introspect \
  --user "YOUR_CLIENT_ID:$VRATA_CLIENT_SECRET" \
  --data-urlencode "token=$1"
