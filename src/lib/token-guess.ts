/** A careful guess: most text needs fewer tokens than a third of its characters. */
export const CHARS_PER_TOKEN = 3

const IMAGE_TOKENS = 1500
const TEXT_BYTES_PER_TOKEN = 4
const DOCUMENT_BYTES_PER_TOKEN = 10

/** What a file takes of a model's window, roughly: a picture always the same, anything else by its length. */
export function fileTokens({ mediaType, bytes }: { readonly mediaType: string; readonly bytes: number }): number {
  if (mediaType.startsWith('image/')) return IMAGE_TOKENS
  return Math.ceil(bytes / (mediaType.startsWith('text/') ? TEXT_BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN))
}

/** As many characters of text as would take the place of these files. */
export function charsOfFiles(files: readonly { readonly mediaType: string; readonly bytes: number }[]): number {
  return files.reduce((sum, file) => sum + fileTokens(file) * CHARS_PER_TOKEN, 0)
}
