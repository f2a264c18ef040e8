import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress, type Egress, EgressFailed, EgressRefused } from '../../src/egress/index.ts'
import { verifies } from '../support/verifies.ts'
import { hostileAnswers, hostileLiterals, randomNumbers } from './support/hostile-urls.ts'
import { createInternet, createWitness, type Internet, type Witness } from './support/internet.ts'
import { V4_IN_V6, V4_NOTATIONS, V6_NOTATIONS } from './support/notations.ts'
import { type Bytes, FORBIDDEN_V4, PUBLIC_V4, PUBLIC_V6, v6Bytes, within } from './support/ranges.ts'

const SEED = 20_261_115
const PUBLIC = '93.184.216.34'
const REDIRECTS = [301, 302, 303, 307, 308]

let internet: Internet
let egress: Egress

beforeAll(async () => {
  internet = await createInternet((request, response) => {
    const url = new URL(request.url ?? '/', 'http://host')
    const to = url.searchParams.get('to')
    if (to === null) return response.end('public')
    return response.writeHead(Number(url.searchParams.get('status')), { location: to }).end()
  })
  internet.host(PUBLIC, ...PUBLIC_V4, ...PUBLIC_V6)
  egress = createEgress(internet.ports)
})

afterAll(async () => {
  await egress.close()
  await internet.close()
})

/** How a request ended: refused by a rule, answered, or something else. */
async function ending(url: string, by: Egress = egress): Promise<string> {
  try {
    const response = await by.fetch(url)
    return `answered: ${await response.text()}`
  } catch (error) {
    if (error instanceof EgressRefused) return 'refused'
    return error instanceof EgressFailed && error.code === 'unresolved' ? 'refused' : `failed: ${String(error)}`
  }
}

/** The URLs that did not end as wanted, with how they did. */
async function strays(urls: readonly string[], wanted: string, by: Egress = egress): Promise<string[]> {
  const found: string[] = []
  for (const url of urls) {
    const end = await ending(url, by)
    if (end !== wanted) found.push(`${JSON.stringify(url)} ${end}`)
  }
  return found
}

describe('URLs that lead to a forbidden address', () => {
  verifies('REL-6', 'are refused in every notation, and nobody is connected to', async () => {
    const urls = hostileLiterals(SEED).map(({ url }) => url)
    expect(new Set(urls).size).toBeGreaterThan(3000)
    const before = internet.dialled.length
    expect(await strays(urls, 'refused')).toEqual([])
    expect(internet.dialled.slice(before)).toEqual([])
    expect(internet.witness.visits).toBe(0)
  })

  verifies('REL-6', 'are refused with the resolver and the sockets of the system', async () => {
    const witnesses = await loopbackWitnesses()
    const plain = createEgress()
    const urls = witnesses.flatMap(({ port }) => [
      ...Object.values(V4_NOTATIONS).map((write) => `http://${write([127, 0, 0, 1])}:${port}/`),
      ...Object.values(V4_IN_V6).map((write) => `http://[${write([127, 0, 0, 1])}]:${port}/`),
      ...Object.values(V6_NOTATIONS).map((write) => `http://[${write(v6Bytes('::1'))}]:${port}/`),
      ...[
        'localhost',
        'localhost.',
        'x.localhost',
        'ip6-localhost',
        '0',
        '0.0.0.0',
        '[::]',
        '127.1',
        '127.255.255.254',
      ].map((host) => `http://${host}:${port}/`),
    ])
    expect(await strays(urls, 'refused', plain)).toEqual([])
    expect(witnesses.map(({ visits }) => visits)).toEqual(witnesses.map(() => 0))
    await plain.close()
    await Promise.all(witnesses.map((witness) => witness.close()))
  })

  verifies('REL-6', 'are refused when a name resolves to one, whatever else it resolves to', async () => {
    const answers = hostileAnswers(SEED)
    expect(answers.length).toBeGreaterThan(800)
    const urls = answers.flatMap((answer, i) => {
      internet.name(`only-${i}.example.com`, [answer])
      internet.name(`first-${i}.example.com`, [answer, PUBLIC])
      internet.name(`last-${i}.example.com`, [PUBLIC, '2606:4700:4700::1111', answer])
      return ['only', 'first', 'last'].map((kind) => `http://${kind}-${i}.example.com/?${encodeURIComponent(answer)}`)
    })
    const before = internet.dialled.length
    expect(await strays(urls, 'refused')).toEqual([])
    expect(internet.dialled.slice(before)).toEqual([])
    expect(internet.witness.visits).toBe(0)
  })

  verifies('REL-6', 'are refused when a name has moved there since it was checked', async () => {
    const before = internet.dialled.length
    const answers = hostileAnswers(SEED + 1).slice(0, 200)
    const found: string[] = []
    for (const [i, answer] of answers.entries()) {
      const host = `moving-${i}.example.com`
      internet.name(host, [PUBLIC], [answer])
      const ends = [await ending(`http://${host}/`), await ending(`http://${host}/`), await ending(`http://${host}./`)]
      if (ends.join() !== 'answered: public,refused,refused') found.push(`${answer}: ${ends.join()}`)
    }
    expect(found).toEqual([])
    expect(new Set(internet.dialled.slice(before))).toEqual(new Set([PUBLIC]))
    expect(internet.witness.visits).toBe(0)
  })

  verifies('REL-6', 'are refused as the target of a redirect of every status', async () => {
    internet.name('redirects.example.com', [PUBLIC])
    internet.name('inside.example.com', ['10.0.0.5'])
    const random = randomNumbers(SEED)
    const literals = hostileLiterals(SEED)
      .map(({ url }) => url)
      .filter((url) => random(40) === 0 && !/^http:\d/.test(url)) // in a redirect that is a path
    const targets = [
      ...literals,
      'http://inside.example.com/',
      '//127.0.0.1/',
      '/\\127.0.0.1/',
      '\t//0x7f.1/',
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'gopher://127.0.0.1:6379/_FLUSHALL',
    ]
    const urls = REDIRECTS.flatMap((status) =>
      targets.map((to) => `http://redirects.example.com/?status=${status}&to=${encodeURIComponent(headerText(to))}`),
    )
    expect(urls.length).toBeGreaterThan(300)
    expect(await strays(urls, 'refused')).toEqual([])
    expect(internet.witness.visits).toBe(0)
  })

  test('do not tell what a name resolved to, or whether it exists', async () => {
    internet.name('known.corp.example.com', ['10.20.30.40'])
    const messages = await Promise.all(
      ['known', 'other'].map(async (label) => {
        const error: unknown = await egress
          .fetch(`http://${label}.corp.example.com/`)
          .catch((thrown: unknown) => thrown)
        return (error as Error).message.replace(label, 'x')
      }),
    )
    expect(messages[0]).toBe(messages[1])
    expect(messages[0]).not.toContain('10.20')
  })

  test('are refused when they are public, but an address of this machine', async () => {
    const here = createEgress({ ...internet.ports, own: () => ['8.8.8.8', '2606:4700:4700:0::1111'] })
    const urls = ['http://8.8.8.8/', 'http://[2606:4700:4700::1111]/', 'http://[64:ff9b::808:808]/']
    expect(await strays(urls, 'refused', here)).toEqual([])
    await here.close()
  })
})

describe('URLs of the public internet', () => {
  verifies('REL-6', 'are not blocked, as addresses and as names', async () => {
    const literals = [
      ...PUBLIC_V4.flatMap((address) =>
        ['dotted', 'decimal', 'hex', 'mixed', 'trailing dot'].map(
          (form) => `http://${V4_NOTATIONS[form]?.(address.split('.').map(Number))}/`,
        ),
      ),
      ...PUBLIC_V6.flatMap((address) =>
        Object.values(V6_NOTATIONS).map((write) => `http://[${write(v6Bytes(address))}]/`),
      ),
    ]
    const hosts = Array.from({ length: 60 }, (_, i) => [`host-${i}.example.com`, `www.host-${i}.co.uk`]).flat()
    for (const [i, host] of [...hosts, 'xn--bcher-kva.example.org', 'a_b.example.net', 'local.example.com'].entries())
      internet.name(host, [PUBLIC_V4[i % PUBLIC_V4.length] ?? '', PUBLIC_V6[i % PUBLIC_V6.length] ?? ''])
    const names = [...hosts, 'bücher.example.org', 'BÜCHER.example.org.', 'a_b.example.net', 'local.example.com'].map(
      (host) => `http://${host}:8000/path?query`,
    )
    const urls = [...literals, ...names]
    expect(urls.length).toBeGreaterThan(250)
    expect(await strays(urls, 'answered: public')).toEqual([])
  })
})

test('for any IPv4 address the range alone decides, in every notation', async () => {
  const notation = fc.constantFrom(...Object.keys(V4_NOTATIONS))
  const forbidden = fc
    .tuple(fc.constantFrom(...FORBIDDEN_V4), fc.integer())
    .map(([cidr, seed]) => within(cidr, 'random', randomNumbers(seed)))
  await fc.assert(
    fc.asyncProperty(forbidden, notation, async (bytes, form) => (await ending(urlOf(bytes, form))) === 'refused'),
    { numRuns: 1000, seed: SEED },
  )
  const any = fc.tuple(fc.integer({ min: 1, max: 223 }), fc.nat(255), fc.nat(255), fc.nat(255))
  const allowed = any.filter((bytes) => !FORBIDDEN_V4.some((cidr) => isWithin(bytes, cidr)) && !isRelay(bytes))
  await fc.assert(
    fc.asyncProperty(allowed, notation, async (bytes, form) => {
      internet.host(bytes.join('.'))
      return (await ending(urlOf(bytes, form))) === 'answered: public'
    }),
    { numRuns: 300, seed: SEED },
  )
})

const urlOf = (bytes: Bytes, form: string): string => `http://${V4_NOTATIONS[form]?.(bytes)}/`

function isWithin(bytes: Bytes, cidr: string): boolean {
  const [first, last] = (['first', 'last'] as const).map((which) => within(cidr, which, () => 0))
  return bytes.every((byte, i) => byte >= (first?.[i] ?? 0) && byte <= (last?.[i] ?? 0))
}

/** Global by the registry, but of anycast relays nobody fetches a page from; they are refused too. */
const isRelay = (bytes: Bytes): boolean =>
  ['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24'].some((cidr) => isWithin(bytes, cidr))

/** As bytes of UTF-8, which is what a server sends. */
const headerText = (text: string): string => Buffer.from(text.replaceAll(/[\0\n]/g, '')).toString('latin1')

async function loopbackWitnesses(): Promise<Witness[]> {
  const hosts = ['127.0.0.1', '127.0.0.1', '::1', '0.0.0.0']
  const opened = await Promise.allSettled(hosts.map((host) => createWitness(host)))
  return opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
