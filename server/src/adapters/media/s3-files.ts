import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DeleteObjectCommand, GetObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { fileBody, inTime } from './file-body.ts'
import { checkedName, type Files, FilesUnavailable } from './files.ts'
import type { S3Settings } from './s3-url.ts'

/** Milliseconds. */
const CONNECT = 3000
const ANSWER = 15_000
/** Bytes of a part; a larger file is sent in several, and appears when the last one has arrived. */
const PART = 8 * 1024 * 1024

export type Bucket = { settings: S3Settings; client: S3Client }

/** Opens no connection yet. */
export function openBucket(settings: S3Settings): Bucket {
  const { region, endpoint, path_style, credentials } = settings
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint } : {}),
    forcePathStyle: path_style,
    ...(credentials ? { credentials } : {}),
    maxAttempts: 3,
    // Other stores than Amazon's do not know the checksums that the client otherwise adds.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT, requestTimeout: ANSWER, throwOnRequestTimeout: true },
  })
  return { settings, client }
}

/** Files in a folder of a bucket. `patience`: milliseconds for the next bytes of a file, for tests. */
export function s3Files({ settings, client }: Bucket, folder: string, patience?: number): Files {
  const objectOf = (name: string) => ({
    Bucket: settings.bucket,
    Key: `${settings.prefix}${folder}/${checkedName(name)}`,
  })
  return {
    async put(name, content) {
      const object = objectOf(name)
      let bytes = 0
      let failure: unknown
      const counted = async function* () {
        try {
          for await (const piece of content) {
            bytes += piece.length
            yield piece
          }
        } catch (error) {
          failure = error
          throw error
        }
      }
      const body = new PassThrough()
      const upload = new Upload({
        client,
        params: { ...object, Body: body, ContentType: 'application/octet-stream' },
        partSize: PART,
        queueSize: 1,
        leavePartsOnError: false,
      })
      // An error of the content ends `body` with it, and the upload, which deletes the parts that the store has. `abort` would not wait for that.
      const filled = pipeline(Readable.from(counted(), { objectMode: false }), body).catch(() => {})
      try {
        await upload.done()
      } catch (error) {
        // An error of the content is the caller's.
        throw failure ?? new FilesUnavailable(error)
      } finally {
        body.destroy()
        await filled
      }
      return bytes
    },
    async open(name) {
      const object = objectOf(name)
      try {
        const found = await client.send(new GetObjectCommand(object))
        const content = found.Body as Readable
        const pieces = content[Symbol.asyncIterator]()
        const next = async () => (await inTime(pieces.next(), patience)).value as Uint8Array | undefined
        return { body: fileBody(next, () => content.destroy()), bytes: Number(found.ContentLength) }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw new FilesUnavailable(error)
      }
    },
    async remove(name) {
      const object = objectOf(name)
      try {
        await client.send(new DeleteObjectCommand(object))
      } catch (error) {
        if (!isMissing(error)) throw new FilesUnavailable(error)
      }
    },
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === 'NoSuchKey'
}
