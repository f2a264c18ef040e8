import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { within } from '../../lib/within.ts'
import { DEEPEST_MESSAGE, nestsDeeper } from '../../lib/nesting.ts'
import { LineReader } from './line-reader.ts'
import type { McpLimits } from './limits.ts'
import type { OpenOptions } from './open-connection.ts'
import { makeOwnFolder, safeHome } from './own-folder.ts'
import type { StdioServer } from './servers.ts'
import { Misbehaviour, NotSent } from './trouble.ts'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Waits until somebody watches over it: a Segno that dies before that leaves nothing behind. */
const HELD = 'read -r go <&3 || exit 1; exec 3<&-; unset PWD OLDPWD; exec "$@"'
/** What is still in the pipe when a process has ended is read within this time; a grandchild may hold the pipe open. */
const DRAIN_MS = 200

type OfServer = Pick<StdioServer, 'command' | 'args' | 'env' | 'cwd'>
type OfOpening = Pick<OpenOptions, 'folders' | 'watchdog' | 'log'>

/** Without a `cwd` it starts in a new folder of its own, made in `folders` or the system's temporary one while it runs. */
export interface StdioOptions extends OfServer, OfOpening, Pick<McpLimits, 'messageBytes' | 'stopMs'> {
  readonly workspace: string | undefined
  readonly parse: (line: string) => JSONRPCMessage
}

/**
 * A server as a child process, with an environment of its own and in a process group that ends with it. The SDK's own
 * transport passes parts of our environment on, leaves grandchildren behind and kills only one process.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  /** a line that is no message, as far as it is JSON, for whoever can tell which call it was meant to answer */
  onstrange?: (value: unknown) => void

  readonly #options: StdioOptions
  readonly #reader: LineReader
  readonly #ended = Promise.withResolvers<void>()
  #child: ChildProcess | undefined
  #group: number | undefined
  #folder: string | undefined

  constructor(options: StdioOptions) {
    this.#options = options
    this.#reader = new LineReader(options.messageBytes)
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, folders, workspace, watchdog, log } = this.#options
    const own = makeOwnFolder(folders, workspace)
    this.#folder = own
    const given = { PATH, HOME: safeHome(workspace) ?? own, LANG: 'C.UTF-8', ...env }
    const program = findCommand(command, given.PATH, cwd ?? own)
    const child = spawn('/bin/sh', ['-c', HELD, 'sh', program, ...args], {
      cwd: cwd ?? own,
      env: given,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
    this.#child = child
    this.#group = child.pid
    if (child.pid !== undefined) watchdog.watch(child.pid)
    const leash = child.stdio[3] as Writable
    leash.on('error', () => {})
    leash.end('go\n')
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.setEncoding('utf8').on('data', (piece: string) => log.add(piece))
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', (error) => this.onerror?.(error))
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.once('exit', () => void within(DRAIN_MS, closed).then(() => this.#end()))
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => {
        this.#end()
        reject(error)
      })
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin?.writable || this.#group === undefined) throw new NotSent('the server is not running')
    if (stdin.writableLength > this.#options.messageBytes) {
      this.fail(new Misbehaviour('it does not read what it is sent'))
      throw new NotSent('the server does not read what it is sent')
    }
    stdin.write(`${JSON.stringify(message)}\n`)
  }

  /** Asks the server to stop, then makes it; resolves when nothing of it is left. */
  async close(): Promise<void> {
    await this.#stop()
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
  }

  async #stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || this.#group === undefined) return
    const { stopMs } = this.#options
    child.stdin?.end()
    if (await within(stopMs / 4, this.#ended.promise)) return
    this.#signal('SIGTERM')
    if (await within(stopMs, this.#ended.promise)) return
    this.#signal('SIGKILL')
    await this.#ended.promise
  }

  /** Ends a server that misbehaves, at once. */
  fail(error: Error): void {
    this.onerror?.(error)
    this.#child?.stdout?.removeAllListeners('data').resume()
    this.#signal('SIGKILL')
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#reader.read(chunk)) this.#take(line)
    } catch (error) {
      this.fail(error as Error)
    }
  }

  #take(line: string): void {
    let value: unknown
    try {
      if (nestsDeeper(line, DEEPEST_MESSAGE)) throw new Misbehaviour('a message of its is nested too deeply')
      value = JSON.parse(line)
    } catch (error) {
      if (error instanceof Misbehaviour) throw error
      // Servers print all kinds of things; what is not JSON is no message.
      this.onstrange?.(undefined)
      return
    }
    let message: JSONRPCMessage
    try {
      message = this.#options.parse(line)
    } catch {
      this.onstrange?.(value)
      return
    }
    this.onmessage?.(message)
  }

  #end(): void {
    if (this.#child === undefined) return
    // Those it started itself go with it.
    this.#signal('SIGKILL')
    if (this.#group !== undefined) this.#options.watchdog.forget(this.#group)
    this.#group = undefined
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy()
    this.#child = undefined
    this.#ended.resolve()
    this.onclose?.()
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#group === undefined) return
    try {
      process.kill(-this.#group, signal)
    } catch {
      // There is nobody left.
    }
  }
}

/** Where a command is, as a shell would find it. Throws an error with the code ENOENT where there is none. */
function findCommand(command: string, path: string, cwd: string): string {
  const places = command.includes('/')
    ? [resolve(cwd, command)]
    : path.split(':').map((folder) => join(folder, command))
  const found = places.find(isProgram)
  if (found === undefined) throw Object.assign(new Error(`${command} was not found`), { code: 'ENOENT' })
  return found
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
