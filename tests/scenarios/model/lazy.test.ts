import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tempHome } from '../library/support/open-segno.ts'

const run = promisify(execFile)
const ROOT = new URL('../../../', import.meta.url)

/** Runs a program in a process of its own; says which packages of providers, tokens and embeddings it loaded. */
async function loadedBy(program: string): Promise<string[]> {
  const code = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules)/.exec(url)?.[1]
        if (name) loaded.add(name)
        return next(url, context)
      },
    })
    const { createSegno } = await import('segno')
    const home = ${JSON.stringify(tempHome())}
    ${program}
    console.log(JSON.stringify([...loaded].filter((name) => /ai-sdk|tokenizer|energetic|ollama/.test(name))))`
  const args = ['--conditions=segno-source', '--input-type=module', '--eval', code]
  const { stdout } = await run(process.execPath, args, { cwd: ROOT, timeout: 60_000 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as string[]
}

const ROUND = `
  const { id } = await segno.createSession()
  const { completion } = await segno.streamRequest(id, 'hello')
  await completion
  await segno.close()`

test('importing Segno, starting it and a round with the scripted model load no code of any provider', async () => {
  expect(await loadedBy('')).toEqual([])
  expect(
    await loadedBy(`const segno = await createSegno({ home, env: { SEGNO_MODEL: 'scripted' } }); ${ROUND}`),
  ).toEqual([])
})

test('a provider is loaded by the first call of one of its models, and no other is', async () => {
  const env = JSON.stringify({
    ANTHROPIC_API_KEY: 'k',
    OPENAI_API_KEY: 'k',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    SEGNO_LIMITS_RETRIES: '0',
  })
  const start = `const segno = await createSegno({ home, env: ${env} });`
  expect(await loadedBy(`${start} await segno.close()`)).toEqual([])
  const loaded = await loadedBy(start + ROUND)
  expect(loaded).toContain('@ai-sdk/anthropic')
  expect(loaded).not.toContain('@ai-sdk/openai')
  expect(loaded).not.toContain('gpt-tokenizer')
})
