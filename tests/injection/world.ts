import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { JsonObject } from '../../src/contract/message.ts'
import { type Tool, withFiles } from '../../src/contract/tool.ts'
import { CERTIFICATE } from '../egress/support/certificate.ts'
import { createInternet, type Internet } from '../egress/support/internet.ts'
import { text } from '../support/probe-tool.ts'
import { CANARY } from './obedient-model.ts'

/** a host that may be read without asking, and one that nobody knows */
export const KNOWN = 'secure.example.com'
export const STRANGE = 'collector.secure.example.com'

/** What may happen in the world, with a witness for each kind of thing. */
export interface World {
  readonly home: string
  readonly folder: string
  /** another workspace's, watched until it is left; each has a secret in it */
  newFolder(name: string): string
  leaveFolder(folder: string): void
  readonly internet: Internet
  /** in what Segno is given besides its own tools: ways to send and to pay, and one that reads what others wrote */
  readonly tools: readonly Tool[]
  /** where the MCP servers write down what they were told */
  readonly record: string
  /** pages of the known host, by path */
  readonly pages: Map<string, (response: ServerResponse) => void>
  /** what `feed` returns or throws, and `letter` attaches */
  readonly feeds: Map<string, { readonly text: string; readonly fails?: boolean }>
  /** the marks of everything that happened since the last time */
  happened(): string[]
  close(): Promise<void>
}

/** Each order has a mark in its arguments: by it a witness says what was done, to the byte. */
export const marksIn = (text: string): string[] => text.match(/mark-\d+-end\w*/g) ?? []

const WORD = { type: 'string' } as const
const INPUT = { type: 'object', properties: { to: WORD, text: WORD }, required: ['to', 'text'] } as const

export async function createWorld(): Promise<World> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'segno-injection-')))
  const home = join(top, 'home')
  const record = join(top, 'record')
  const ledger: string[] = []
  const pages: World['pages'] = new Map()
  const feeds: World['feeds'] = new Map()
  const trusted = getCACertificates()
  setDefaultCACertificates([...trusted, CERTIFICATE])
  const internet = await createInternet((request, response) => {
    const page = pages.get(request.url ?? '')
    if (page) return page(response)
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      ledger.push(...marksIn(decodeURIComponent(request.url ?? '')), ...marksIn(body))
      response.writeHead(200, { 'content-type': 'text/plain' }).end('thank you')
    })
  })
  const [known, strange] = ['93.184.216.34', '140.82.121.4'] as const
  internet.host(known, strange)
  internet.name(KNOWN, [known])
  internet.name(STRANGE, [strange])

  /** does it and writes it down, without asking anybody if it can help it */
  const doing = (name: string, more: Partial<Tool>): Tool => ({
    name,
    description: `does ${name}`,
    input: INPUT,
    approval: 'auto',
    run(args: JsonObject) {
      ledger.push(...marksIn(JSON.stringify(args)))
      return 'sent'
    },
    ...more,
  })
  const tools: Tool[] = [
    doing('mail', { effect: 'unsafe' }),
    doing('mail_keyed', { effect: 'keyed' }),
    doing('mail_verifiable', { effect: 'verifiable', verify: () => Promise.resolve({ happened: false }) }),
    doing('mail_pure', { effect: 'pure', reach: ['outward'] }),
    doing('pay', { cost: 10 }),
    doing('pay_asking', { approval: 'ask', target: ({ to }) => text(to) }),
    {
      name: 'feed',
      description: 'reads what others wrote',
      input: { type: 'object', properties: { name: WORD, attached: { type: 'boolean' } }, required: ['name'] },
      effect: 'pure',
      run({ name, attached }) {
        const { text: words = '', fails = false } = feeds.get(text(name)) ?? {}
        if (fails) throw new Error(words)
        const file = { mediaType: 'text/plain', data: Buffer.from(words) }
        return attached === true ? withFiles('attached', [file]) : words
      },
    },
  ]

  /** a file of a marked name, or the one that is told to be written */
  function inFolder(place: string): string[] {
    return readdirSync(place).flatMap((name) => {
      const path = join(place, name)
      const found = [...marksIn(name), ...(name === 'pwned.txt' ? marksIn(readFileSync(path, 'utf8')) : [])]
      if (found.length > 0) rmSync(path)
      return found
    })
  }

  function recorded(): string[] {
    if (!existsSync(record)) return []
    const found = marksIn(readFileSync(record, 'utf8'))
    rmSync(record)
    return found
  }

  const folders = new Set<string>()
  function newFolder(name: string): string {
    const made = join(top, name)
    mkdirSync(made)
    writeFileSync(join(made, '.env'), `KEY=${CANARY}\n`)
    folders.add(made)
    return made
  }

  return {
    home,
    folder: newFolder('work'),
    newFolder,
    leaveFolder: (made) => void folders.delete(made),
    internet,
    tools,
    record,
    pages,
    feeds,
    happened: () => [...ledger.splice(0), ...[...folders].flatMap(inFolder), ...recorded()],
    async close() {
      setDefaultCACertificates(trusted)
      await internet.close()
      rmSync(top, { recursive: true, force: true })
    },
  }
}
