#!/bin/sh
set -eu
random() { openssl rand -base64 48 | tr -d '=\n' | tr '+/' '-_'; }

verifier=$(random)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 | tr -d '=\n' | tr '+/' '-_')

echo "1. Open this address and sign in:"
echo "https://id.example.com/authorize?response_type=code&client_id=YOUR_CLIENT_ID&redirect_uri=http://localhost:4000/callback&scope=openid%20profile%20email&state=$(random)&code_challenge=$challenge&code_challenge_method=S256"
echo "2. The browser is redirected to a page that cannot be loaded. Copy the value of code from its address and paste it here:"
read -r code

tokens=$(curl --silent --show-error --fail-with-body https://id.example.com/token \
  --user "YOUR_CLIENT_ID:$VRATA_CLIENT_SECRET" \
  --data grant_type=authorization_code \
  --data-urlencode "code=$code" \
  --data-urlencode redirect_uri=http://localhost:4000/callback \
  --data-urlencode "code_verifier=$verifier")
access_token=$(printf %s "$tokens" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')

curl --silent --show-error --fail-with-body https://id.example.com/userinfo --header "Authorization: Bearer $access_token"
