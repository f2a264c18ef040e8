import { expect, test } from 'vitest'
import { isForwarding } from './is-forwarding.ts'

/** What real proxies, tunnels and networks add, one of which is enough. */
const SENT: Readonly<Record<string, string>> = {
  'RFC 7239 and 9110': 'Forwarded Via CDN-Loop Proxy-Connection Proxy-Authorization Surrogate-Capability Early-Data',
  nginx: 'X-Real-IP X-Forwarded-For X-Forwarded-Proto X-Forwarded-Host X-Forwarded-Port X-Scheme X-Original-URI',
  'nginx ingress':
    'X-Forwarded-Scheme X-Original-Forwarded-For X-Original-Method X-Auth-Request-Redirect X-Service-Name',
  apache: 'X-Forwarded-Server X-Forwarded-For SSL_CLIENT_CERT',
  haproxy: 'X-Forwarded-For X-Client-IP X-SSL-Client-CN X-Haproxy-Server-State',
  traefik: 'X-Forwarded-Prefix X-Forwarded-Tls-Client-Cert X-Replaced-Path X-Real-Ip',
  caddy: 'X-Forwarded-For Via X-Forwarded-Method X-Forwarded-Uri',
  'envoy, istio':
    'X-Envoy-External-Address X-Envoy-Peer-Metadata X-Forwarded-Client-Cert X-Envoy-Expected-Rq-Timeout-Ms',
  cloudflare:
    'CF-Connecting-IP CF-Connecting-IPv6 CF-RAY CF-Visitor CF-IPCountry True-Client-IP Cf-Access-Jwt-Assertion',
  akamai: 'True-Client-IP Akamai-Origin-Hop X-Akamai-Edgescape Akamai-Client-IP',
  fastly: 'Fastly-Client-IP Fastly-FF Fastly-SSL X-Varnish',
  fly: 'Fly-Client-IP Fly-Forwarded-Proto Fly-Region Fly-Request-Id',
  aws: 'X-Amzn-Trace-Id X-Amzn-Tls-Version X-Amz-Cf-Id CloudFront-Viewer-Address X-Amzn-Oidc-Identity',
  azure:
    'X-ARR-SSL X-ARR-LOG-ID X-Azure-ClientIP X-Azure-SocketIP X-MS-CLIENT-PRINCIPAL X-Original-Host Client-IP X-SITE-DEPLOYMENT-ID',
  google:
    'X-Cloud-Trace-Context X-AppEngine-User-IP X-Goog-Authenticated-User-Email X-Goog-IAP-JWT-Assertion X-Client-Geo-Location',
  'heroku, vercel, netlify, others':
    'X-Request-Start Connect-Time X-Vercel-Forwarded-For X-Nf-Client-Connection-Ip DO-Connecting-IP X-Railway-Edge Rndr-Id',
  tailscale: 'Tailscale-User-Login Tailscale-User-Name Tailscale-Headers-Info',
  'ngrok and tunnels': 'Ngrok-Trace-Id Ngrok-Auth-User-Email X-Pagekite-Proto X-Tunnel-Id X-MS-Proxy',
  'single sign-on': 'Remote-User Remote-Email X-Authentik-Username X-Remote-User X-WEBAUTH-USER X-Auth-Request-Email',
  'old ones':
    'X-Cluster-Client-IP X-Originating-IP X-Remote-IP X-Remote-Addr X-ProxyUser-Ip WL-Proxy-Client-IP Proxy-Client-IP Front-End-Https X-BlueCoat-Via X-Sucuri-ClientIP Incap-Client-IP Z-Forwarded-For HTTP-X-FORWARDED-FOR Client-IP X_FORWARDED_FOR',
}
/** Those add other headers of the list too. */
const WITH_OTHERS = new Set(['connect-time', 'rndr-id'])

test('a name that says it plainly is not excused by how it begins', () => {
  for (const name of [
    'Sec-Forwarded-For',
    'Content-Forwarded-For',
    'Max-Forwards',
    'Sourceip',
    'Remoteaddr',
    'Kong-Request',
    'Pomerium-Jwt',
  ])
    expect([name, isForwarding(name)]).toEqual([name, true])
})

for (const [proxy, names] of Object.entries(SENT))
  test(`what comes through ${proxy} comes from somewhere else`, () => {
    for (const name of names.split(' '))
      if (!WITH_OTHERS.has(name.toLowerCase())) expect([name, isForwarding(name)]).toEqual([name, true])
  })

/** What browsers and programs on a machine send by themselves. */
const OWN: Readonly<Record<string, string>> = {
  Chrome:
    'Host Connection sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform Upgrade-Insecure-Requests User-Agent Accept Sec-Fetch-Site ' +
    'Sec-Fetch-Mode Sec-Fetch-User Sec-Fetch-Dest Accept-Encoding Accept-Language Cookie Referer Origin Content-Type ' +
    'Content-Length Cache-Control Pragma If-None-Match If-Modified-Since Range Last-Event-ID Purpose Sec-Purpose DNT ' +
    'Save-Data X-Client-Data Access-Control-Request-Method Access-Control-Request-Private-Network Sec-GPC',
  Firefox:
    'Host User-Agent Accept Accept-Language Accept-Encoding Connection Upgrade-Insecure-Requests Priority TE Alt-Used Sec-GPC',
  Safari:
    'Host Accept Sec-Fetch-Site Priority User-Agent Accept-Language Connection Service-Worker Service-Worker-Navigation-Preload',
  'programs of every kind':
    'Host User-Agent Accept Authorization Content-Type Content-Length Transfer-Encoding Expect Idempotency-Key Keep-Alive ' +
    'Upgrade HTTP2-Settings Sec-WebSocket-Key X-Requested-With X-Request-ID traceparent tracestate baggage b3 X-B3-TraceId ' +
    'X-Stainless-Lang X-Stainless-Retry-Count OpenAI-Organization anthropic-version MCP-Protocol-Version Accept-Charset From Date',
}
for (const [program, names] of Object.entries(OWN))
  test(`what ${program} sends is its own`, () => {
    for (const name of names.split(' ')) expect([name, isForwarding(name)]).toEqual([name, false])
  })
