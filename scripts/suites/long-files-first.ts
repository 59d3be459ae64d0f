import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of 5 to 50 s. In a fresh checkout Vitest knows no durations and begins with the largest files, and on PostgreSQL it has those of
 * SQLite, where tests of PostgreSQL are skipped: they began last, and other workers waited 20 s for one of them.
 */
export const LONG = [
  'server/src/revocation/revocations.test.ts',
  'server/src/backup/backup.test.ts',
  'server/src/db/postgres/paused-database.test.ts',
  'server/test/levels.test.ts',
  'server/src/features/account/profile-picture.test.ts',
  'server/src/backup/move.test.ts',
  'server/test/operator-calls.test.ts',
  'server/src/issuer/request/unknown-commits.test.ts',
  'server/test/bad-input.test.ts',
  'server/src/commands/wrong-place.test.ts',
  'server/src/adapters/mail/outage.test.ts',
  'server/src/issuer/tokens/concurrency.test.ts',
  'server/src/commands/upgrade.test.ts',
  'server/src/db/postgres/synchronous-standby.test.ts',
  'server/src/db/postgres/postgres.test.ts',
  'server/src/seed/seed.test.ts',
  'server/src/http/bodies/slow-requests.test.ts',
  'server/test/releases/releases.test.ts',
  'server/src/backup/passphrase.test.ts',
]

/** Runs the longest files of each project first, so that no worker is left with one of them at the end. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ofProjects = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...ofProjects.values()].flatMap((some) => some.toSorted((a, b) => place(a) - place(b)))
  }
}

function place({ moduleId }: TestSpecification): number {
  const index = LONG.findIndex((file) => moduleId.endsWith(file))
  return index === -1 ? LONG.length : index
}
