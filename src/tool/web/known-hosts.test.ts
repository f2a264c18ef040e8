import { describe, expect, test } from 'vitest'
import { isKnownHost, isListedHost, KNOWN_HOSTS } from './known-hosts.ts'

const isKnown = (url: string): boolean => isKnownHost(new URL(url), KNOWN_HOSTS)

test.each(['https://github.com/a/b', 'https://de.wikipedia.org/wiki/Segno', 'https://DEVELOPER.mozilla.org:443/'])(
  'knows the host of %s',
  (url) => expect(isKnown(url)).toBe(true),
)

test.each([
  'http://github.com/',
  'https://github.com:8443/',
  'https://github.com./',
  'https://github.com.evil.com/',
  'https://evilgithub.com/',
  'https://user@github.com/',
  'https://wikipedia.org/',
  'https://evil-wikipedia.org/',
  'https://wikipedia.org.evil.com/',
  'https://gіthub.com/',
  'https://evil.com/github.com',
  'https://evil.com#github.com',
  'https://github.com@evil.com/',
])('does not know the host of %s', (url) => expect(isKnown(url)).toBe(false))

test('lists hosts as URLs write them', () => {
  for (const host of KNOWN_HOSTS)
    expect(new URL(`https://${host.replace('*.', 'www.')}/`).hostname).toBe(host.replace('*.', 'www.'))
})

describe('after text from outside', () => {
  const isListed = (url: string, hosts = KNOWN_HOSTS): boolean => isListedHost(new URL(url), hosts)

  test.each([
    'https://github.com/a',
    'https://de.wikipedia.org/wiki/Segno',
    'https://unix.stackexchange.com/',
    'https://html.spec.whatwg.org/',
  ])('%s is of a listed host', (url) => expect(isListed(url)).toBe(true))

  test.each([
    'https://hunter2.wikipedia.org/',
    'https://en.hunter2.wikipedia.org/',
    'https://hunter2.en.wikipedia.org/',
    'https://en.m.wikipedia.org/',
    'https://.wikipedia.org/',
    'https://www.github.com/',
    'http://en.wikipedia.org/',
    'https://en.wikipedia.org:8443/',
    'https://x@en.wikipedia.org/',
    'https://en.wikipedia.org.evil.com/',
  ])('%s is not', (url) => expect(isListed(url)).toBe(false))

  test('a name that an operator listed in full is listed', () => {
    expect(isListed('https://hunter2.example.org/', ['hunter2.example.org'])).toBe(true)
    expect(isListed('https://docs.example.org/', ['*.example.org'])).toBe(true)
    expect(isListed('https://hunter2.example.org/', ['*.example.org'])).toBe(false)
  })
})
