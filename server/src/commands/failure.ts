import { FilesUnavailable } from '../adapters/media/files.ts'
import { CopyLeft, OtherRehearsal } from '../db/copy/rehearsal-place.ts'
import { NewerDatabase, NoDatabase, TablesInUse } from '../db/copy/snapshot.ts'
import { OutcomeUnknown } from '../db/copy/target.ts'
import { isUnavailable } from '../db/dialect.ts'
import { CannotListen } from '../http/listening.ts'
import { causeMessage, errorMessage } from '../lib/error-message.ts'
import { Interrupted } from '../lib/interruption.ts'

/** Explanations of failed file access for operators, by errno. */
const FILE_FAILURES: Record<string, string> = {
  ENOENT: 'the file or its folder does not exist',
  EACCES: 'this user may not access it',
  EPERM: 'this user may not access it',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EFBIG: 'the file would become too large',
  EROFS: 'the disk can only be read',
  EIO: 'the disk does not work',
}

/** Errors whose message is a sentence. */
const SENTENCES = [
  NoDatabase,
  NewerDatabase,
  CannotListen,
  OutcomeUnknown,
  OtherRehearsal,
  CopyLeft,
  TablesInUse,
  Interrupted,
]

type SystemError = Error & { code?: unknown; path?: unknown; syscall?: unknown }

/**
 * A sentence for a failure of files, of the database or of listening, which no command can foresee, or a database that is missing or of a newer
 * version; undefined for a fault of the program.
 */
export function failureSentence(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (SENTENCES.some((one) => error instanceof one)) return error.message
  if (error instanceof FilesUnavailable)
    return `The store of pictures and archives cannot be used: ${errorMessage(error.cause as Error)}`
  const { code, path, syscall } = error as SystemError
  const failure = typeof code === 'string' ? FILE_FAILURES[code] : undefined
  if (failure && syscall !== 'connect')
    return typeof path === 'string' ? `${path}: ${failure}.` : `A file cannot be read or written: ${failure}.`
  if (isUnavailable(error)) return `The database is not available: ${causeMessage(error)}`
  if (error.name === 'PostgresError') return `PostgreSQL refuses: ${error.message}`
  if (code === 'ERR_SQLITE_ERROR') return `The database file cannot be used: ${error.message}`
  return undefined
}
