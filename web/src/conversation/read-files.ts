import type { MeView } from '../../../src/client/index.ts'
import { bytes as size } from '../parts/format.ts'
import type { NewFile } from './unsent.ts'

export const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const NAME_CHARS = 200

type Limits = Omit<MeView['limits'], 'promptTokens' | 'documentBytes'>

/** Reads files for a message, and says why some cannot be sent. */
export async function readFiles(
  files: readonly File[],
  already: readonly NewFile[],
  limits: Limits,
): Promise<{ taken: NewFile[]; problems: string[] }> {
  const taken: NewFile[] = []
  const problems: string[] = []
  for (const file of files) {
    const problem = await readOne(file, [...already, ...taken], limits).then(
      (one) => (typeof one === 'string' ? one : void taken.push(one)),
      () => `${nameOf(file)} could not be read. Is it still there?`,
    )
    if (problem) problems.push(problem)
  }
  return { taken, problems }
}

async function readOne(file: File, before: readonly NewFile[], limits: Limits): Promise<NewFile | string> {
  const name = nameOf(file)
  if (before.length >= limits.messageFiles)
    return `${name} is one too many: a message takes ${limits.messageFiles} files.`
  if (file.size === 0) return `${name} is empty.`
  if (file.size > limits.fileBytes)
    return `${name} has ${size(file.size)}; a file may have ${size(limits.fileBytes)}. Send a smaller one.`
  const content = new Uint8Array(await file.arrayBuffer())
  const mediaType = kindOf(file.type, content)
  if (mediaType === undefined)
    return `${name} is no picture (PNG, JPEG, GIF, WebP), PDF or text: a model could not read it.`
  const data = toBase64(content)
  const sum = before.reduce((total, one) => total + one.data.length, data.length)
  if (sum > limits.bodyBytes * 0.98)
    return `${name} does not fit: all files of a message together may have about ${size(limits.bodyBytes * 0.73)}.`
  return { name, mediaType, data, bytes: content.length }
}

/** What it is sent as: a picture, a PDF, or text of any kind. */
export function kindOf(type: string, content: Uint8Array): string | undefined {
  if (PICTURES.includes(type) || type === 'application/pdf') return type
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
  return /^text\/[a-z0-9.+-]+$/.test(type) ? type : 'text/plain'
}

/** A name of one line: it is shown, and sent in headers. */
function nameOf({ name }: File): string {
  return (
    name
      .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '_')
      .slice(0, NAME_CHARS)
      .toWellFormed()
      .trim() || 'file'
  )
}

/** In pieces: a function takes only so many arguments. */
export function toBase64(content: Uint8Array): string {
  let text = ''
  for (let at = 0; at < content.length; at += 32_768) text += String.fromCharCode(...content.subarray(at, at + 32_768))
  return btoa(text)
}
