import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { within } from '../../lib/within.ts'
import { DEEPEST_MESSAGE, nestsDeeper } from '../../lib/nesting.ts'
import { LineReader } from './line-reader.ts'
import type { OpenOptions } from './open-connection.ts'
import { makeOwnFolder, safeHome } from './own-folder.ts'
import { WORKSPACE_FOLDER, type StdioServer } from './servers.ts'
import { Misbehaviour, NotSent } from './trouble.ts'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Starts the server only when the watchdog knows of it, so that nothing is left if Segno dies before. */
const HELD = 'read -r go <&3 || exit 1; exec 3<&-; unset PWD OLDPWD; exec "$@"'
/** How long the rest of the output is read after the process ended; a grandchild may keep the pipe open. */
const DRAIN_MS = 200

/**
 * A server as a child process with its own environment and process group. The SDK's own transport passes on parts of our
 * environment and kills only one process.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  /** called with a line that is no message, parsed if it is JSON */
  onstrange?: (value: unknown) => void

  readonly #server: StdioServer
  readonly #options: OpenOptions
  readonly #parse: (line: string) => JSONRPCMessage
  readonly #reader: LineReader
  readonly #ended = Promise.withResolvers<void>()
  #child: ChildProcess | undefined
  #group: number | undefined
  #folder: string | undefined

  constructor(server: StdioServer, options: OpenOptions, parse: (line: string) => JSONRPCMessage) {
    this.#server = server
    this.#options = options
    this.#parse = parse
    this.#reader = new LineReader(options.limits.messageBytes)
  }

  async start(): Promise<void> {
    const { folder: workspace, folders, watchdog, log } = this.#options
    const { command, args, env, cwd } = inWorkspace(this.#server, workspace)
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
    if (stdin.writableLength > this.#options.limits.messageBytes) {
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
    const { stopMs } = this.#options.limits
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
      this.onstrange?.(undefined)
      return
    }
    let message: JSONRPCMessage
    try {
      message = this.#parse(line)
    } catch {
      this.onstrange?.(value)
      return
    }
    this.onmessage?.(message)
  }

  #end(): void {
    if (this.#child === undefined) return
    // Its own children end with it.
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
      // It has ended.
    }
  }
}

/** The server's command line with the workspace folder filled in. */
function inWorkspace({ command, args, env, cwd }: StdioServer, folder: string | undefined) {
  const place = (text: string): string => (folder === undefined ? text : text.replaceAll(WORKSPACE_FOLDER, folder))
  return {
    command: place(command),
    args: args.map(place),
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, place(value)])),
    // By default not the workspace: what a command wrote there would run outside of its sandbox.
    cwd: cwd === undefined ? undefined : place(cwd),
  }
}

/** The path of a command, as a shell finds it; throws an error with the code ENOENT if there is none. */
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
