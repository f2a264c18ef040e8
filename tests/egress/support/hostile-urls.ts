import { V4_IN_V6, V4_NOTATIONS, V6_NOTATIONS } from './notations.ts'
import { type Bytes, FORBIDDEN_V4, FORBIDDEN_V6, within } from './ranges.ts'

export interface HostileUrl {
  readonly family: string
  readonly url: string
}

/** The same numbers for the same seed: a failure can be run again. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const BAD_PORTS = [1, 22, 23, 25, 53, 110, 143, 389, 465, 587, 636, 993, 2049, 4190, 5060, 6000, 6667, 6697, 10080]
const SCHEMES = [
  'ftp',
  'file',
  'gopher',
  'dict',
  'ldap',
  'ws',
  'wss',
  'data',
  'javascript',
  'blob',
  'about',
  'jar',
  'unix',
]
const LOCAL_NAMES = `
  localhost LOCALHOST localhost. foo.localhost a.b.localhost. intranet wiki n8n db metadata printer.local
  metadata.google.internal host.docker.internal router.home.arpa x.onion x.test x.invalid x.example x.alt
  kubernetes.default.svc.cluster.local ｌｏｃａｌｈｏｓｔ ⓛocalhost loc%61lhost LocalHost:80 localhost:8080 localhost%2e
  local\u00ADhost a..example.com .example.com example.com..`
  .trim()
  .split(/\s+/)
/** Public to the eye, and where they really lead. */
const DISGUISES: readonly ((host: string) => string)[] = [
  (host) => `http://example.com@${host}/`,
  (host) => `http://user:secret@${host}/`,
  (host) => `http://example.com%20@${host}/`,
  (host) => `http://${host}\\@example.com/`,
  (host) => `http:\\\\${host}\\x`,
  (host) => `http:${host}`,
  (host) => `http:////${host}/`,
  (host) => ` \t\u0000http://${host}/ `,
  (host) => `hTTp://${host}:80/#@example.com`,
  (host) => `http://${host}?@example.com/`,
  (host) => `https://${host}:443/example.com`,
]

/** URLs that lead to a forbidden address without asking any resolver. */
export function hostileLiterals(seed: number): HostileUrl[] {
  const random = randomNumbers(seed)
  const v4 = addressesOf(FORBIDDEN_V4, random)
  const v6 = addressesOf(FORBIDDEN_V6, random)
  return [
    ...v4.flatMap((bytes) => written(V4_NOTATIONS, bytes, (host) => `http://${host}/`)),
    ...v4.flatMap((bytes) => written(V4_IN_V6, bytes, (host) => `http://[${host}]/`)),
    ...v6.flatMap((bytes) => written(V6_NOTATIONS, bytes, (host) => `http://[${host}]/`)),
    ...v6.slice(0, 30).map((bytes) => ({ family: 'zone id', url: `http://[${v6Text(bytes)}%25eth${random(4)}]/` })),
    ...v4.flatMap((bytes) => DISGUISES.map((disguise) => ({ family: 'disguise', url: disguise(bytes.join('.')) }))),
    ...LOCAL_NAMES.map((name) => ({ family: 'local name', url: `http://${name}/` })),
    ...SCHEMES.flatMap((scheme) =>
      ['//127.0.0.1/', '//example.com/', ':127.0.0.1'].map((rest) => ({ family: 'scheme', url: `${scheme}:${rest}` })),
    ),
    ...BAD_PORTS.map((port) => ({ family: 'port', url: `http://93.184.216.34:${port}/` })),
    ...['http://user@example.com/', 'http://:secret@example.com/', 'https://a:b@93.184.216.34/'].map((url) => ({
      family: 'credentials',
      url,
    })),
  ]
}

const STRANGE_ANSWERS = 'fe80::1%eth0 ::1%lo 2606:4700::1%eth0 127.1 0x7f.1 2130706433 localhost 127.0.0.1.'.split(' ')

/** Forbidden addresses, in the words a resolver uses. */
export function hostileAnswers(seed: number): string[] {
  const random = randomNumbers(seed)
  const v4 = addressesOf(FORBIDDEN_V4, random)
  return [
    ...v4.map((bytes) => bytes.join('.')),
    ...v4.flatMap((bytes) => Object.values(V4_IN_V6).map((write) => write(bytes))),
    ...addressesOf(FORBIDDEN_V6, random).map(v6Text),
    ...STRANGE_ANSWERS,
  ]
}

function addressesOf(ranges: readonly string[], random: (below: number) => number): Bytes[] {
  return ranges.flatMap((cidr) => [
    within(cidr, 'first', random),
    within(cidr, 'last', random),
    within(cidr, 'random', random),
    within(cidr, 'random', random),
  ])
}

function written(
  notations: Readonly<Record<string, (bytes: Bytes) => string>>,
  bytes: Bytes,
  url: (host: string) => string,
): HostileUrl[] {
  return Object.entries(notations).map(([family, write]) => ({ family, url: url(write(bytes)) }))
}

const v6Text = (bytes: Bytes): string => V6_NOTATIONS['groups']?.(bytes) ?? ''
