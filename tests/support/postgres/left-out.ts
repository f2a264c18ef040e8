export interface LeftOut {
  readonly file: string
  /** as it stands in the file; without it, all of its tests */
  readonly title?: string
  readonly why: string
}

const FILE = 'it looks into the SQLite file'
const ALONE = 'a file belongs to one process; tests/postgres has what holds for several'
const NOTE = 'the note is of who has the file; the same test file has the note of a node on a shared database'
const TWO_HANDLES = 'it has two handles on one file; tests/postgres has nodes on one database'

const VECTORS = 'the server of the tests has no pgvector; tests/postgres/knowledge-vectors.test.ts has one that does'

/** Tests that are about the SQLite file, or mean nothing on PostgreSQL. */
export const LEFT_OUT: readonly LeftOut[] = [
  { file: 'tests/scenarios/library/stream-request.test.ts', title: 'is on disk', why: FILE },
  {
    file: 'tests/scenarios/session/snapshots.test.ts',
    title: 'a backup has no snapshots',
    why: 'the server makes its backups, whole; tests/postgres/upkeep.test.ts has what Segno says of that',
  },
  { file: 'tests/scenarios/input/database.test.ts', why: FILE },
  {
    file: 'tests/scenarios/workspace/context.test.ts',
    title: 'are erased with the last conversation that was told them',
    why: FILE,
  },
  {
    file: 'tests/scenarios/input/full-disk.test.ts',
    why: 'the disk it fills has the SQLite file; src/store/postgres/postgres-problem.test.ts has a server whose disk is full',
  },
  {
    file: 'tests/scenarios/input/read-only.test.ts',
    title: 'a database file that cannot be written to stops the start',
    why: FILE,
  },
  { file: 'tests/scenarios/http/database.test.ts', why: FILE },
  { file: 'tests/scenarios/http/jobs.test.ts', why: FILE },
  { file: 'tests/server/db-command.test.ts', why: FILE },
  { file: 'tests/server/jobs-command.test.ts', why: FILE },
  { file: 'tests/server/start.test.ts', title: 'a second server on the same home says who has it', why: ALONE },
  { file: 'tests/server/reach.test.ts', title: 'is used while the process that wrote it has the database', why: NOTE },
  { file: 'tests/server/reach.test.ts', title: 'is used before this process tries to open it', why: NOTE },
  { file: 'tests/server/reach.test.ts', title: 'is not used when it is of', why: NOTE },
  {
    file: 'tests/server/limits.test.ts',
    title: 'on a full disk',
    why: 'the disk that gets full is that of the file; tests/postgres/database-away.test.ts has a server that stores nothing',
  },
  {
    file: 'tests/money/planted.test.ts',
    title: 'reservation outside the transaction',
    why: 'what sets aside is a function of the database there, and has no transaction of its own',
  },
  { file: 'tests/crash/fsync.test.ts', why: 'what is on the disk when is up to the server' },
  { file: 'tests/crash/two-owners.test.ts', why: TWO_HANDLES },
  ...['commit without its expected number', 'stale epoch accepted', 'neither epoch nor number'].map((title) => ({
    file: 'tests/crash/planted.test.ts',
    title,
    why: TWO_HANDLES,
  })),
  { file: 'tests/scenarios/coordinator/elsewhere.test.ts', why: TWO_HANDLES },
  { file: 'tests/scenarios/coordinator/evicted.test.ts', why: TWO_HANDLES },
  { file: 'tests/scenarios/coordinator/may-not-act.test.ts', why: TWO_HANDLES },
  { file: 'tests/scenarios/coordinator/share-out.test.ts', why: TWO_HANDLES },
  ...[
    'documents are found by meaning where no word is the same',
    'with another model search goes on with the vectors of the one before until all are made anew',
    'a text that the model refuses keeps no other from being embedded',
    'a model that fails is said to, and left alone for a while',
  ].map((title) => ({ file: 'tests/scenarios/knowledge/vectors.test.ts', title, why: VECTORS })),
]
