export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const PDF = 'application/pdf'

export const LIMITS = {
  bytes: 20 * 1024 * 1024,
  // Tests that are not about time pass on a busy machine too.
  parseMs: 50_000,
  memoryBytes: 512 * 1024 * 1024,
  chars: 5_000_000,
  chunks: 5_000,
}

/** It takes long enough to be looked at while it is read. */
export const SLOW_HTML = Buffer.from('<i>x</i>'.repeat(1_000_000))
