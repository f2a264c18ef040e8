import { describe, expect, test } from 'vitest'
import { newHome, segno } from '../account/support/cli.ts'
import { verifies } from '../../support/verifies.ts'

const NOWHERE = { OLLAMA_BASE_URL: 'http://127.0.0.1:9' }

describe('segno doctor', () => {
  verifies('GOV-6', 'tells the model in use and why, and what is missing for the others', async () => {
    const { out, code } = await segno(newHome(), ['doctor'], { ...NOWHERE, OPENAI_API_KEY: 'sk-secret' })
    expect(code).toBe(0)
    expect(out).toContain('model     gpt-6.1-sol: OPENAI_API_KEY is set')
    expect(out).toMatch(/- {2}anthropic +ANTHROPIC_API_KEY is not set/)
    expect(out).toMatch(/\+ {2}openai +gpt-6.1-sol is the default model/)
    expect(out).toMatch(/- {2}ollama +nothing at http:\/\/127.0.0.1:9 says which models it has/)
    expect(out).toMatch(/- {2}claude-sonnet .* ANTHROPIC_API_KEY is not set/)
    expect(out).not.toContain('sk-secret')
  })

  verifies('ORC-9', 'tells which engine web_search asks, or how to get one', async () => {
    const without = await segno(newHome(), ['doctor'], NOWHERE)
    expect(without.out).toContain('search    web_search is not offered; set SEGNO_SEARCH to brave (with BRAVE_API_KEY)')
    const search = { SEGNO_SEARCH: 'brave', BRAVE_API_KEY: 'brave-secret', SEGNO_SEARCH_COST: '5000' }
    const { out } = await segno(newHome(), ['doctor'], { ...NOWHERE, ...search })
    expect(out).toContain('search    web_search asks brave ($0.005 each)')
    expect(out).not.toContain('brave-secret')
    const { out: settings } = await segno(newHome(), ['doctor', '--settings'], { ...NOWHERE, ...search })
    expect(settings).toMatch(/BRAVE_API_KEY +\(set\) +- +environment/)
  })

  verifies('GOV-19', 'tells what finds documents by meaning, and that Segno would not start with it', async () => {
    const usual = await segno(newHome(), ['doctor'], NOWHERE)
    expect(usual.out).toMatch(/^vectors {3}built-in:\S+, which knows English only; SEGNO_EMBEDDINGS names another$/m)
    const env = { ...NOWHERE, SEGNO_EMBEDDINGS: 'openai:text-embedding-3-small' }
    const without = await segno(newHome(), ['doctor'], env)
    expect([without.code, without.out]).toEqual([1, expect.stringMatching(/^vectors.*OPENAI_API_KEY is not set\.$/m)])
    const { code, out } = await segno(newHome(), ['doctor'], { ...env, OPENAI_API_KEY: 'sk-secret' })
    expect([code, out]).toEqual([0, expect.stringMatching(/^vectors {3}openai:text-embedding-3-small$/m)])
  })

  test('tells where workflows report results, or what is missing for that', async () => {
    const told = async (env: Record<string, string>) =>
      /^results {3}(.*)$/m.exec((await segno(newHome(), ['doctor'], { ...NOWHERE, ...env })).out)?.[1]
    expect(await told({ SEGNO_PORT: '4747' })).toBe('workflows report them to http://127.0.0.1:4747')
    expect(await told({ SEGNO_PUBLIC_URL: 'https://segno.example.org/' })).toMatch(/ to https:\/\/segno.example.org$/)
    expect(await told({ SEGNO_REQUIRE_KEY: 'on' })).toMatch(/^workflows are not told .* set SEGNO_PUBLIC_URL to /)
  })

  test('says why a key that is set is not used', async () => {
    const env = { ...NOWHERE, OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', SEGNO_MODEL: 'scripted' }
    const { out } = await segno(newHome(), ['doctor', '--json'], env)
    const { providers } = JSON.parse(out) as { providers: { name: string; usable: boolean; note: string }[] }
    expect(providers.find(({ name }) => name === 'anthropic')).toEqual({
      name: 'anthropic',
      usable: true,
      note: 'not the default, for scripted is: SEGNO_MODEL names it; SEGNO_MODEL=claude-sonnet would make it so',
    })
  })

  test('lists every setting with its value, default and origin, and no secret', async () => {
    const env = { ...NOWHERE, ANTHROPIC_API_KEY: 'sk-secret', SEGNO_LIMITS_RETRIES: '1' }
    const { out } = await segno(newHome(), ['doctor', '--settings'], env)
    expect(out).toMatch(/SEGNO_LIMITS_RETRIES +1 +3 +environment/)
    expect(out).toMatch(/SEGNO_PROTOCOL +unified +unified +default/)
    expect(out).toMatch(/ANTHROPIC_API_KEY +\(set\) +- +environment/)
    expect(out).not.toContain('sk-secret')
  })

  test('tries the model when asked to, and its exit code says whether that worked', async () => {
    const good = await segno(newHome(), ['doctor', '--ask'], NOWHERE)
    expect(good.code).toBe(0)
    expect(good.out).toMatch(/asked {5}it says /)
    const bad = await segno(newHome(), ['doctor', '--ask'], {
      ...NOWHERE,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/v1',
      SEGNO_LIMITS_RETRIES: '0',
    })
    expect(bad.code).toBe(1)
    expect(bad.out).toContain('asked     The model call failed: the connection to the model failed.')
  })

  test('names what would stop a start', async () => {
    const { code, err } = await segno(newHome(), ['doctor'], { SEGNO_PORTT: '1' })
    expect([code, err]).toEqual([
      1,
      'segno: Segno cannot start: SEGNO_PORTT is not a setting (did you mean SEGNO_PORT?).',
    ])
  })
})
