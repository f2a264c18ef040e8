import { expect, test } from 'vitest'
import { isKnownHost, KNOWN_HOSTS } from './known-hosts.ts'

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
