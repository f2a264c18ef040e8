import type { ToolFile } from '../contract/tool.ts'
import { fileFault, isFileName, plainMediaType } from '../lib/file-kind.ts'

export interface FileLimits {
  /** bytes of one file */
  readonly fileBytes: number
  /** files of one result */
  readonly resultFiles: number
}

/** The files of an output that can be kept; they are checked, because a tool may return anything. */
export function takeFiles(returned: unknown, { fileBytes, resultFiles }: FileLimits) {
  if (!Array.isArray(returned)) return { files: [], leftOut: ['the files, because they are not a list'] }
  const files: ToolFile[] = []
  /** what was left out and why, for the model to read */
  const leftOut: string[] = []
  for (const [i, one] of returned.slice(0, resultFiles).entries()) {
    const taken = takeFile(one, fileBytes)
    if (typeof taken === 'string') leftOut.push(`file ${i + 1}, because ${taken}`)
    else files.push(taken)
  }
  const more = returned.length - resultFiles
  if (more > 0) leftOut.push(`${more} more, because a result has at most ${resultFiles} files (limit MESSAGE_FILES)`)
  return { files, leftOut }
}

/** A file to keep, or why it is not. */
function takeFile(one: unknown, fileBytes: number): ToolFile | string {
  const { mediaType: type, data, name } = (one ?? {}) as Readonly<Record<string, unknown>>
  if (typeof type !== 'string') return 'it has no mediaType'
  if (!(data instanceof Uint8Array)) return 'its data is not a Uint8Array'
  if (data.length > fileBytes) return `it has ${data.length} bytes, at most ${fileBytes} are kept (limit FILE_BYTES)`
  const mediaType = plainMediaType(type)
  const fault = fileFault(mediaType, data)
  if (fault) return `its ${fault.field} ${fault.message}`
  // A copy, because the tool may go on using its buffer.
  return { mediaType, data: new Uint8Array(data), ...(isFileName(name) && { name }) }
}
