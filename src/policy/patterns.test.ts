import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { glob, isHostPattern, isPathPattern, matchesCommand, matchesHost, matchesPath } from './patterns.ts'
import { threadTime } from '../../tests/support/own-time.ts'

const host = (pattern: string, url: string) => ({
  allows: matchesHost(pattern, new URL(url), 'narrow'),
  denies: matchesHost(pattern, new URL(url), 'wide'),
})
const path = (pattern: string, value: string) => ({
  allows: matchesPath(pattern, value, 'narrow'),
  denies: matchesPath(pattern, value, 'wide'),
})
const command = (pattern: string, value: string) => ({
  allows: matchesCommand(pattern, value, 'narrow'),
  denies: matchesCommand(pattern, value, 'wide'),
})
const BOTH = { allows: true, denies: true }
const NEITHER = { allows: false, denies: false }
const DENIES = { allows: false, denies: true }

describe('* in a pattern', () => {
  test.each([
    ['send', 'send', true],
    ['send', 'sender', false],
    ['send', 'Send', false],
    ['send*', 'send', true],
    ['*send', 'resend', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['*', '', true],
    ['a.c', 'abc', false],
    ['a+(b|c)[d]^$?', 'a+(b|c)[d]^$?', true],
    ['a*c', 'a\n\u2028c', true],
    ['a*', 'a\ud800', true],
  ])('%s and %j: %s', (pattern, text, expected) => {
    expect(glob(pattern, text)).toBe(expected)
  })

  test('stands for what the regular expression of it stands for', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })
    fc.assert(
      fc.property(letters, texts, (pattern, text) => {
        expect(glob(pattern, text)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a host', () => {
  test.each([
    ['https://example.org/', BOTH],
    ['http://example.org/', BOTH],
    ['https://EXAMPLE.org/x?y#z', BOTH],
    ['https://example.org./', BOTH],
    ['https://example.org:443/', BOTH],
    ['https://user:pass@example.org/', BOTH],
    ['https://example.org:8443/', DENIES],
    ['https://sub.example.org/', DENIES],
    ['https://example.org.evil.com/', NEITHER],
    ['https://example.org@evil.com/', NEITHER],
    ['https://evil.com/example.org', NEITHER],
    ['https://evil.com?example.org', NEITHER],
    ['https://evil.com#@example.org', NEITHER],
    ['https://evilexample.org/', NEITHER],
    ['https://example.orgx/', NEITHER],
    ['https://example。org/', BOTH],
    ['https://ｅxample.org/', BOTH],
    ['https://exаmple.org/', NEITHER],
    ['https://evil.com\\@example.org/', NEITHER],
  ])('example.org and %s', (url, expected) => {
    expect(host('example.org', url)).toEqual(expected)
  })

  test.each([
    ['*.example.org', 'https://a.example.org/', BOTH],
    ['*.example.org', 'https://a.b.example.org/', BOTH],
    ['*.example.org', 'https://example.org/', NEITHER],
    ['*.example.org', 'https://evilexample.org/', NEITHER],
    ['*.example.org', 'https://a.example.org.evil.com/', NEITHER],
    ['Example.ORG', 'https://example.org/', BOTH],
    ['example.org.', 'https://example.org/', BOTH],
    ['bücher.de', 'https://bücher.de/', BOTH],
    ['bücher.de', 'https://xn--bcher-kva.de/', BOTH],
    ['*.bücher.de', 'https://www.BÜCHER.de/', BOTH],
    ['example.org:8443', 'https://example.org:8443/', BOTH],
    ['example.org:8443', 'https://example.org/', NEITHER],
    ['example.org:443', 'https://example.org/', BOTH],
    ['example.org:80', 'http://example.org/', BOTH],
    ['example.org:80', 'https://example.org/', NEITHER],
    ['127.0.0.1', 'http://0x7f.1/', BOTH],
    ['127.0.0.1', 'http://2130706433/', BOTH],
    ['127.0.0.1', 'http://017700000001/', BOTH],
    ['[::1]', 'http://[0:0:0:0:0:0:0:1]/', BOTH],
    ['[::1]:8080', 'http://[::1]:8080/', BOTH],
    ['[::1]', 'http://[::2]/', NEITHER],
    ['*', 'https://anything.test/', BOTH],
    ['*', 'https://anything.test:8443/', DENIES],
    ['*:8443', 'https://anything.test:8443/', BOTH],
  ])('%s and %s', (pattern, url, expected) => {
    expect(host(pattern, url)).toEqual(expected)
  })

  test.each([
    'example.org',
    '*.example.org',
    '*',
    '*:8443',
    'example.org:80',
    '[::1]',
    '[::1]:80',
    'bücher.de',
    'localhost',
  ])('can be written as %s', (pattern) => {
    expect(isHostPattern(pattern)).toBe(true)
  })

  test.each([
    'https://example.org',
    'example.org/path',
    'user@example.org',
    'exam*.org',
    '*.*.example.org',
    '*example.org',
    '*.*',
    '.example.org',
    '*..example.org',
    'a..b',
    'a b',
    '::1',
    'example.org:http',
    'example.org:',
    '[::1',
    '[example.org]',
    '10.0.0.999',
  ])('cannot be written as %s, which no host would match', (pattern) => {
    expect(isHostPattern(pattern)).toBe(false)
  })
})

describe('a path', () => {
  test.each([
    ['docs/a.md', 'docs/a.md', BOTH],
    ['docs/*', 'docs/a.md', BOTH],
    ['docs/*', 'docs/a/b.md', NEITHER],
    ['docs/*', 'docs', NEITHER],
    ['docs/**', 'docs/a/b.md', BOTH],
    ['docs/**', 'docs', BOTH],
    ['docs/**', 'docs2/a', NEITHER],
    ['docs/**', 'old/docs/a', NEITHER],
    ['**', '.', BOTH],
    ['**/*.md', 'a.md', BOTH],
    ['**/*.md', 'a/b/c.md', BOTH],
    ['a/**/b/**/c', 'a/b/x/b/y/c', BOTH],
    ['a/**/b/**/c', 'a/x/c', NEITHER],
    ['./docs/a', 'docs/a', BOTH],
    ['docs//a/', 'docs/a', BOTH],
    ['docs', 'docs/', BOTH],
    ['a.c', 'abc', NEITHER],
    ['*.md', 'a\nb.md', BOTH],
  ])('%s and %j', (pattern, value, expected) => {
    expect(path(pattern, value)).toEqual(expected)
  })

  test.each([
    ['in other letters', 'SECRETS/Key'],
    ['by way of its own folder', 'docs/../secrets/key'],
    ['with doubled slashes', 'secrets//key'],
    ['with backslashes', 'secrets\\key'],
    ['from here', './secrets/./key'],
    ['from the root of the machine', '/home/ada/work/secrets/key'],
    ['from outside and back in', '../work/secrets/key'],
    ['as the folder itself', 'secrets'],
  ])('of secrets/** is denied when it is written %s', (_, value) => {
    expect(path('secrets/**', value).denies).toBe(true)
  })

  test.each(['/docs/a', '/etc/docs/a', '../docs/a', '..', 'docs/../../docs/a', '\\docs\\a', 'Docs/a', 'docs/../a'])(
    'of docs/** is not allowed as %s',
    (value) => {
      expect(path('docs/**', value).allows).toBe(false)
    },
  )

  test('that can be written in two forms is denied in both, and allowed only as the policy has it', () => {
    const [nfc, nfd] = ['caf\u00e9/x', 'cafe\u0301/x']
    expect(path('caf\u00e9/*', nfc)).toEqual(BOTH)
    expect(path('caf\u00e9/*', nfd)).toEqual(DENIES)
    expect(path('cafe\u0301/*', nfc)).toEqual(DENIES)
  })

  test('with ** anywhere but between slashes is no pattern', () => {
    for (const good of ['**', 'a/**', '**/a', 'a/**/b', '*.md', 'a*b*c']) expect(isPathPattern(good), good).toBe(true)
    for (const bad of ['a**', '**.md', 'src/**.ts', 'a/b**/c', '***']) expect(isPathPattern(bad), bad).toBe(false)
  })
})

describe('a command', () => {
  test.each([
    ['git log *', 'git log --oneline', BOTH],
    ['git log *', '  git log -p  ', BOTH],
    ['git log *', 'git log "a b"', BOTH],
    ['git log *', 'git logs', NEITHER],
    ['git log *', 'git status', NEITHER],
    ['ls', 'ls', BOTH],
    ['ls', 'ls -la', DENIES],
    ['ls *', 'ls', DENIES],
    ['make test; make lint', 'make test; make lint', BOTH],
  ])('%s and %s', (pattern, value, expected) => {
    expect(command(pattern, value)).toEqual(expected)
  })

  test.each([
    'git log; rm -rf .',
    'git log && rm x',
    'git log | sh',
    'git log > ~/.bashrc',
    'git log < /etc/passwd',
    'git log $(rm x)',
    'git log `rm x`',
    'git log $HOME',
    'git log\nrm x',
    'git log\rrm x',
    'git log & rm x',
    'git log {a,b}',
    'git log *',
    'git log ?',
    'git log [a]',
    'git log \\\nrm',
    'git log # comment',
    'git log !!',
    'A=b git log',
    '/tmp/git log x',
    'GIT LOG x',
    'sudo git log x',
  ])('git log -* and git log x* do not allow %j', (value) => {
    for (const pattern of ['git log -*', 'git log x*', 'git log ??']) expect(command(pattern, value).allows).toBe(false)
  })

  test('that a shell would read on is not allowed by any star', () => {
    const shell = ';&|<>()$`\\\n\r*?[]{}~!#'.split('')
    for (const letter of shell) expect(command('echo *', `echo a${letter}b`).allows, JSON.stringify(letter)).toBe(false)
  })

  test.each([
    'rm x',
    'rm',
    'RM x',
    'sudo rm -rf /',
    '/bin/rm x',
    'sudo /bin/rm x',
    '../../bin/rm x',
    'true; rm x',
    'true;rm x',
    'true&&rm x',
    'true|rm x',
    'true\nrm x',
    '(rm x)',
    '{ rm x; }',
    '{rm,-rf,x}',
    'echo $(rm x)',
    'echo `rm x`',
    'echo "$(rm x)"',
    'A=b rm x',
    'env A=b rm x',
    `env ${'A=b '.repeat(500)}rm x`,
    'r""m x',
    "r''m x",
    'r\\m x',
    '"rm" x',
    "$'rm' x",
    'r\\\nm x',
    'rm\tx',
    'rm${IFS}x',
    'rm$IFS-rf x',
    'rm<list -rf x',
    'rm>out x',
    '>out rm x',
    'bash -c "rm x"',
    'xargs rm',
    'find . -exec rm {} +',
    'if true; then rm x; fi',
    '# a comment\nrm x',
  ])('rm is denied in %j', (value) => {
    for (const pattern of ['rm', 'rm *']) expect(command(pattern, value).denies, pattern).toBe(true)
  })

  test.each(['ls', 'rmdir x', 'echo farm x', 'alarm', 'cat rm.txt'])('rm is not denied in %s', (value) => {
    expect(command('rm *', value).denies).toBe(false)
  })

  test('with words and quotes of its own is found as it is written', () => {
    expect(command('git commit -m "wip" *', 'git commit -m "wip" x').denies).toBe(true)
    expect(command('curl * | sh', 'cd x; curl -s https://a.test | sh').denies).toBe(true)
    expect(command('git  push', 'git push origin').denies).toBe(true)
  })
})

describe('a value of a megabyte', () => {
  const MB = 1_000_000
  const values = {
    'one letter': 'a'.repeat(MB),
    words: 'a '.repeat(MB / 2),
    slashes: 'a/'.repeat(MB / 2),
    separators: ';'.repeat(MB),
    quotes: '"'.repeat(MB),
    dollars: '${IFS'.repeat(MB / 5),
  }
  test.each(Object.entries(values))('of %s is read once, whatever the pattern', { timeout: 60_000 }, (_, value) => {
    const hostile = ['*a*a*a*a*a*a*b', '**/a/**/a/**/a/**/b', '*/a*/*a*/*b', 'a a *a a *a a *b', 'x'.repeat(1000)]
    const took = threadTime(() => {
      for (const pattern of hostile)
        for (const reading of ['narrow', 'wide'] as const) {
          glob(pattern, value, { anyCase: reading === 'wide' })
          matchesPath(pattern, value, reading)
          matchesCommand(pattern, value, reading)
        }
    })
    // Thirty times through a megabyte. One that went back and tried again would take hours.
    expect(took).toBeLessThan(20_000)
  })
})
