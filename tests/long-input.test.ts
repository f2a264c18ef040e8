import { expect, test } from 'vitest'
import { redactOutput, redactText } from '../src/audit/redact-text.ts'
import { betweenMarkers } from '../src/lib/between-markers.ts'
import { canonicalJson } from '../src/lib/canonical-json.ts'
import { createRedactor } from '../src/lib/redactor.ts'
import { textWarnings, visible, visibleText } from '../src/lib/visible.ts'
import { maxTokens, loadTokenCounter } from '../src/model/call/tokens.ts'
import { defaultScript } from '../src/model/scripted/default-script.ts'
import { matchesWhen } from '../src/model/scripted/match-when.ts'
import { compileWhen } from '../src/model/scripted/script.ts'
import { glob, matchesCommand, matchesPath } from '../src/policy/patterns.ts'
import { redactError } from '../src/store/content-free.ts'
import { quoted } from '../src/stream/quoted.ts'
import type { Shown } from '../src/contract/shown.ts'
import { readable } from '../src/tool/readable.ts'
import { fieldsOf } from '../src/tool/show-fields.ts'
import { looksSecret } from '../src/tool/local/secret-name.ts'
import { showOutput } from '../src/tool/show-output.ts'
import { withoutScripts } from '../src/tool/web/without-scripts.ts'
import { cost } from './support/linear.ts'

/** As much of a tool's output as a model is shown at once. */
const CHARS = 200_000
/** What is quadratic takes minutes. */
const MOST_MS = 500

const countTokens = await loadTokenCounter()
const redactSecrets = createRedactor(['aaaaaaaaaaaaaaab', 'a secret with spaces'])
const scenarios = (defaultScript.scenarios ?? []).map(({ when }) => compileWhen(when))

/** A command of which every second character is dangerous. */
const asCommand = (text: string): Shown => ({
  kind: 'command',
  text,
  dangers: Array.from({ length: text.length / 2 }, (_, at) => ({ from: at * 2, to: at * 2 + 1, why: 'x' })),
})

/** What is done with texts of others on the main thread, and how it may be begun over and over without an end. */
const WORK: readonly (readonly [name: string, work: (text: string) => unknown, starts: readonly string[]])[] = [
  ['markers around output', (text) => betweenMarkers(text, 'c', 'x'), ['<\t', '</', '<untrusted-', '<untrusted']],
  ['redacted traces', redactText, ['-----BEGIN PRIVATE KEY-----', 'eyJ00000-', 'eyJaaaaaa.', 'Bearer ', 'sk-', '://:']],
  ['redacted traces', redactText, ['password="', 'token: ', 'a@', 'a@a.', 'xoxb-a', 'secret']],
  ['redacted JSON', redactOutput, ['[', '{"a":', '["', ' [']],
  ['redacted secrets', redactSecrets, ['a', 'a secret ']],
  ['redacted errors', redactError, ['"', '‘', "'", 'http://', '://', '@']],
  [
    'what cannot be seen',
    (text) => [visible(text), visibleText(text), textWarnings(text)],
    ['\u200d', '\ufe0f', '☺\u200d'],
  ],
  ['what cannot be seen', (text) => [visible(text), visibleText(text), textWarnings(text)], ['аa', '\r\n', '\ud800']],
  ['tokens', (text) => [countTokens(text), maxTokens(text)], ['a', ' ', 'é', '\n', '字']],
  ['a quoted text', quoted, ['`', '```\n', '~~~', '``` `', '> ']],
  ['shown output', (text) => showOutput(text, 50_000, String), ['\ud800', '\n', 'a']],
  [
    'what is shown of a question',
    (text) => [fieldsOf({ text, deep: [[[[[[[[text]]]]]]]] }), asCommand(text)].map(readable),
    ['\u202e', '\r\n', '☺\u200d'],
  ],
  ['names of secrets', looksSecret, ['.env.', '/', 'token-', 'secret']],
  ['rules about commands', (text) => matchesCommand('git push *', text, 'wide'), ['git push', ' /', '${IFS', "$'"]],
  ['rules about paths', (text) => matchesPath('a/**/b/*.pem', text, 'wide'), ['a/', '../', 'b/', '\\']],
  ['patterns of rules', (text) => glob('*a*b*c*', text), ['a', 'ab', 'abc']],
  ['scripts', (text) => scenarios.some((when) => matchesWhen(when, text)), [' ', 'fetch ', '17 ', 'what is ']],
  ['scripts and styles', withoutScripts, ['<style>', '<script', '</script ', '<style></script>']],
  ['canonical JSON', (text) => canonicalJson({ text }), ['\ud800', '"', '\\']],
]

test.each(WORK)('%s: long texts are worked on in moments', (_, work, starts) => {
  for (const start of starts) {
    for (const text of [filled(start), `${start}${' '.repeat(CHARS)}`, `${start}${'a'.repeat(CHARS)}!`]) {
      expect(
        cost(() => work(text)),
        JSON.stringify(text.slice(0, 30)),
      ).toBeLessThan(MOST_MS)
    }
  }
})

const filled = (unit: string): string => unit.repeat(Math.ceil(CHARS / unit.length)).slice(0, CHARS)

test('a pattern of a script that would run for years does not match after a tenth of a second', () => {
  const text = `${'a'.repeat(50)}b`
  expect(matchesWhen(/^(a+)+$/i, text)).toBe(false)
  expect(cost(() => matchesWhen(/^(a+)+$/i, text))).toBeLessThan(1000)
  expect(matchesWhen(/^(a+)+b$/i, text)).toBe(true)
})
