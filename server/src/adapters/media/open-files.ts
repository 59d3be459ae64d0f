import { join } from 'node:path'
import { diskFiles } from './disk-files.ts'
import type { Files } from './files.ts'

/** Pictures, and the archives of users, in the data folder. */
export function openFiles({ data_dir }: { data_dir: string }): { media: Files; archives: Files } {
  return { media: diskFiles(join(data_dir, 'media')), archives: diskFiles(join(data_dir, 'archives')) }
}
