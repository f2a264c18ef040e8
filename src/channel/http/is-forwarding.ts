/** Sent by programs and browsers themselves, although the names look like those of proxies. */
const OWN = new Set([
  'x-requested-with',
  'x-request-id',
  'x-correlation-id',
  'x-csrf-token',
  'x-xsrf-token',
  'x-api-key',
  'x-client-data',
])
const OWN_BEGINNINGS = ['x-stainless-', 'x-b3-', 'x-datadog-', 'sec-', 'access-control-', 'content-', 'accept-', 'if-']

/** A header with one of these words is always from a proxy. */
const PLAIN = new Set(['forwarded', 'forward', 'forwards', 'forwarder', 'proxy', 'proxied'])
/** Words in names of headers that proxies, tunnels and CDNs add. */
const WORDS = new Set(
  (
    'via client clientip sourceip realip remote remoteaddr real original originating peer ip kong pomerium ' +
    'cdn edge tunnel gateway ingress loop surrogate cf cloudflare fly fastly akamai tailscale ngrok envoy amz amzn arr ' +
    'azure ms appengine goog google cloudfront vercel netlify nf railway render heroku cloud incap sucuri varnish ' +
    'squid bluecoat zscaler wl do gfe early front ssl tls scheme proto https isecure webauth auth'
  ).split(' '),
)

/**
 * Whether a header shows that the request was forwarded. Lists of such names are never complete, so every `x-` and every
 * name with a word that proxies use counts, except the known ones.
 */
export function isForwarding(name: string): boolean {
  const lower = name.toLowerCase()
  const words = lower.split(/[-_]/)
  if (words.some((word) => PLAIN.has(word))) return true
  if (OWN.has(lower) || OWN_BEGINNINGS.some((beginning) => lower.startsWith(beginning))) return false
  return lower.startsWith('x-') || words.some((word) => WORDS.has(word))
}
