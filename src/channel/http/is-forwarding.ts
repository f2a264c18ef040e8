/** What programs and browsers send of their own accord although its name looks like a proxy's. */
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

/** Words that say it whatever stands before them. */
const PLAIN = new Set(['forwarded', 'forward', 'forwards', 'forwarder', 'proxy', 'proxied'])
/** Words in the names of headers by which proxies, tunnels and the networks before a server say whom they speak for. */
const WORDS = new Set(
  (
    'via client clientip sourceip realip remote remoteaddr real original originating peer ip kong pomerium ' +
    'cdn edge tunnel gateway ingress loop surrogate cf cloudflare fly fastly akamai tailscale ngrok envoy amz amzn arr ' +
    'azure ms appengine goog google cloudfront vercel netlify nf railway render heroku cloud incap sucuri varnish ' +
    'squid bluecoat zscaler wl do gfe early front ssl tls scheme proto https isecure webauth auth'
  ).split(' '),
)

/**
 * Does a request with this header come from somewhere else? Lists of such names are never complete, so it goes by their
 * shape: every `x-` is a proxy's, and every name with a word in it that proxies use, but for what is known to be other.
 */
export function isForwarding(name: string): boolean {
  const lower = name.toLowerCase()
  const words = lower.split(/[-_]/)
  if (words.some((word) => PLAIN.has(word))) return true
  if (OWN.has(lower) || OWN_BEGINNINGS.some((beginning) => lower.startsWith(beginning))) return false
  return lower.startsWith('x-') || words.some((word) => WORDS.has(word))
}
