#!/usr/bin/env bash
# Makes the certificates and keys of the tests again; they open nothing. Good for a hundred years from 2020 on, but for expired.crt.
set -euo pipefail
[[ "$(date +%Y)" == 2020 ]] || exec faketime 2020-01-01 bash "$0"
cd "$(dirname "$0")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
days=36500
here='subjectAltName=DNS:localhost,IP:127.0.0.1'

ec() { openssl ecparam -name prime256v1 -genkey -noout -out "$work/ec" && openssl pkcs8 -topk8 -nocrypt -in "$work/ec" -out "$1"; }
sign() { # key, certificate, name, where
  openssl req -new -key "$1" -subj "/CN=$3" -out "$work/csr"
  echo "$4" >"$work/where"
  openssl x509 -req -in "$work/csr" -CA ca.crt -CAkey "$work/ca.key" -CAserial "$work/serial" -CAcreateserial \
    -extfile "$work/where" -days "${days:?}" -out "$2" 2>/dev/null
}

ec "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -subj '/CN=ca.weir.test' -days $days -out ca.crt
ec first.key
sign first.key first.crt first.weir.test "$here"
sign first.key elsewhere.crt elsewhere.weir.test subjectAltName=DNS:elsewhere.weir.test
days=365 sign first.key expired.crt expired.weir.test "$here"
openssl ecparam -name prime256v1 -genkey -out second.key # parameters before it, and its older form
sign second.key second.crt second.weir.test "$here"
openssl genrsa -traditional -out rsa.key 2048
openssl req -x509 -new -key rsa.key -subj '/CN=rsa.weir.test' -addext "$here" -days $days -out rsa.crt
openssl pkcs8 -topk8 -in first.key -passout pass:secret -out encrypted.key

for module in ops docker; do
  mkdir -p "../../../../../$module/src/test/resources/tls"
  cp ca.crt rsa.crt elsewhere.crt first.crt first.key second.crt second.key "../../../../../$module/src/test/resources/tls"
done
