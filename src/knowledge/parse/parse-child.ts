import { Socket } from 'node:net'
import { DocumentFault, type FaultKind } from './document-fault.ts'
import { type ChildJob, readDocument } from './read-document.ts'

/** A child process that reads one document from its input and writes chunks, one a line, then how it ended. */
const out = process.stdout
closeDoors()
out.write(await answer(), () => process.exit(0))

async function answer(): Promise<string> {
  try {
    const job = JSON.parse(process.argv[2] ?? '') as ChildJob
    const chunks = await readDocument(await input(), job)
    const lines = chunks.map(({ place, text }) => JSON.stringify([place, text]))
    return `${lines.join('\n')}\n${JSON.stringify({ end: lines.length })}\n`
  } catch (error) {
    return `${JSON.stringify({ fault: kindOf(error) })}\n`
  }
}

async function input(): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of process.stdin as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

function kindOf(error: unknown): FaultKind {
  if (error instanceof DocumentFault) return error.kind
  return error instanceof Error && error.message.includes('allocation failed') ? 'memory' : 'broken'
}

/** Parsers need no network, and what they print would be taken for the answer. */
function closeDoors(): void {
  for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name)
  Socket.prototype.connect = () => {
    throw new Error('A document is read without a network.')
  }
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) console[name] = () => {}
}
