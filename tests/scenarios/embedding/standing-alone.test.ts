import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { server as config } from '../../../rolldown.config.ts'

const root = join(import.meta.dirname, '../../..')
const tellStrays = new URL('./support/tell-strays.ts', import.meta.url)
const listModules = new URL('./support/list-modules.ts', import.meta.url)
const built = config as { input: Record<string, string>; external: never }

/** Inside the project, so that its dependencies are found; as the package is built, with the embedder as an entry. */
let dist = ''

beforeAll(async () => {
  dist = mkdtempSync(join(root, 'node_modules', '.segno-embedding-'))
  const { input, external } = built
  const bundle = await rolldown({
    cwd: root,
    input: { index: 'src/model/embedding/index.ts', 'embed-worker': input['embed-worker'] ?? '' },
    platform: 'node',
    external,
  })
  await bundle.write({ dir: dist, format: 'esm' })
  await bundle.close()
  return () => rmSync(dist, { recursive: true, force: true })
}, 60_000)

/** Runs a script in a process of its own until it ends by itself. */
function run(script: string, preload = tellStrays) {
  const home = mkdtempSync(join(tmpdir(), 'segno-embedding-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=source', '--import', preload.href, '--input-type=module', '--eval', script],
    { cwd: home, env: { HOME: home, SEGNO_HOME: home }, encoding: 'utf8', timeout: 60_000 },
  )
  return { status, stdout, stderr }
}

const sources = join(root, 'src/model/embedding')
/** Uses the model without a thread, where what it does can be watched. */
const ENCODE = `
  const { loadSentenceEncoder } = await import(${JSON.stringify(join(sources, 'sentence-encoder.ts'))})
  const encode = await loadSentenceEncoder()
  console.log((await encode('A sentence.')).length)`

test.each(['sources', 'bundle'])(
  'from its %s the built-in embedder prints nothing and lets the process end',
  (form) => {
    const entry = join(form === 'bundle' ? dist : sources, form === 'bundle' ? 'index.js' : 'index.ts')
    const script = `
    const { createBuiltInEmbedder } = await import(${JSON.stringify(entry)})
    const [vector] = await createBuiltInEmbedder().embed(['A sentence.'])
    console.log(vector.length)`
    expect(run(script)).toEqual({ status: 0, stdout: '512\n', stderr: '' })
  },
)

test('the model needs no network and nothing that is made for it, and prints nothing', () => {
  expect(run(ENCODE)).toEqual({ status: 0, stdout: '512\n', stderr: '' })
})

test('an embedder whose thread cannot be started says so, and tries anew the next time', () => {
  rmSync(join(dist, 'embed-worker.js'))
  const script = `
    const { createBuiltInEmbedder } = await import(${JSON.stringify(join(dist, 'index.js'))})
    const embedder = createBuiltInEmbedder()
    for (const text of ['one', 'two']) await embedder.embed([text]).catch(({ code, message }) => console.log(code, message))`
  const { status, stdout } = run(script)
  expect(status).toBe(0)
  expect(stdout.match(/MODEL_ERROR The built-in embedding model could not be run: Cannot find module/g)).toHaveLength(2)
})

const HEAVY = /energetic-ai|sentence-encoder|gpt-tokenizer|@ai-sdk\/(?!provider\/)|a thread/

test('importing Segno and a round with the scripted model load no embedder, no tokenizer and no provider', () => {
  const script = `
    const { createSegno } = await import(${JSON.stringify(join(root, 'src/index.ts'))})
    const segno = await createSegno({ model: 'scripted', builtInTools: false })
    const { id } = await segno.createSession()
    const { completion } = await segno.streamRequest(id, 'Hello?')
    console.log((await completion).finishReason)
    await segno.close()`
  const { status, stdout, stderr } = run(script, listModules)
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'complete\n' })
  const loaded = stderr.split('\n')
  expect(loaded.some((url) => url.endsWith('src/app.ts'))).toBe(true)
  expect(loaded.filter((url) => HEAVY.test(url))).toEqual([])
})

test('the list would show a model that is used', () => {
  const { stderr } = run(ENCODE, listModules)
  expect(stderr.split('\n').filter((url) => HEAVY.test(url))).not.toEqual([])
})
