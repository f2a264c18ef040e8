/** A careful guess: most text has more characters per token. */
export const CHARS_PER_TOKEN = 3

const IMAGE_TOKENS = 1500
const TEXT_BYTES_PER_TOKEN = 4
const DOCUMENT_BYTES_PER_TOKEN = 10

/** Roughly how many tokens a file takes: a fixed number for an image, otherwise by length. */
export function fileTokens({ mediaType, bytes }: { readonly mediaType: string; readonly bytes: number }): number {
  if (mediaType.startsWith('image/')) return IMAGE_TOKENS
  return Math.ceil(bytes / (mediaType.startsWith('text/') ? TEXT_BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN))
}

/** The length of text that takes as many tokens as these files. */
export function charsOfFiles(files: readonly { readonly mediaType: string; readonly bytes: number }[]): number {
  return files.reduce((sum, file) => sum + fileTokens(file) * CHARS_PER_TOKEN, 0)
}
