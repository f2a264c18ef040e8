const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder or passes through something that is none',
  EISDIR: 'is a folder',
  EEXIST: 'exists already',
  EACCES: 'may not be accessed',
  EPERM: 'may not be accessed',
  EROFS: 'is on a read-only disk',
  ELOOP: 'passes through a link where none is allowed',
  ENAMETOOLONG: 'is too long a name',
  ENOSPC: 'does not fit: the disk is full',
  EDQUOT: 'does not fit: the disk quota is used up',
  ENXIO: 'is not a regular file',
}

/** A file system error in words, without the paths of this machine. */
export function fileProblem(error: unknown, subject: string): Error {
  const code = codeOf(error)
  if (code === undefined) return error instanceof Error ? error : new Error(String(error))
  return new Error(`${subject} ${WORDS[code] ?? `cannot be used (${code})`}.`, { cause: error })
}

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error)) return undefined
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
