#!/bin/sh
# Creates the certificates in this folder again: an authority, a server certificate that it signs for
# 127.0.0.1 and redis.test, a certificate for another name, and an authority that signs nothing.
set -e
cd "$(dirname "$0")"
new_key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500'
for name in authority other-authority; do
  openssl req -x509 $new_key -keyout $name.key -out $name.pem -subj "/CN=Switchboard test $name"
done
sign() {
  openssl req $new_key -keyout "$1.key" -subj "/CN=$1" |
    openssl x509 -req -CA authority.pem -CAkey authority.key -days 36500 -out "$1.pem" -extfile "$2"
}
printf 'subjectAltName=IP:127.0.0.1,DNS:redis.test' >names
sign server names
printf 'subjectAltName=DNS:elsewhere.test' >names
sign elsewhere names
rm names authority.key other-authority.key
