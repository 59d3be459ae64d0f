import { join } from 'node:path'
import { diskFiles } from './disk-files.ts'
import type { Files } from './files.ts'
import type { Bucket } from './s3-files.ts'
import type { S3Settings } from './s3-url.ts'

export type FileSettings = { data_dir: string; media_store?: S3Settings | undefined }

/** Pictures, and the archives of users: in the data folder, or in an S3-compatible store. */
export function openFiles({ data_dir, media_store }: FileSettings): { media: Files; archives: Files } {
  if (!media_store)
    return { media: diskFiles(join(data_dir, 'media')), archives: diskFiles(join(data_dir, 'archives')) }
  // One client for both folders.
  let bucket: Bucket | undefined
  const folder = (name: string): Files => {
    const files = async () => {
      const { openBucket, s3Files } = await import('./s3-files.ts')
      bucket ??= openBucket(media_store)
      return s3Files(bucket, name)
    }
    return {
      put: async (file, content) => (await files()).put(file, content),
      open: async (file) => (await files()).open(file),
      remove: async (file) => (await files()).remove(file),
    }
  }
  return { media: folder('media'), archives: folder('archives') }
}
