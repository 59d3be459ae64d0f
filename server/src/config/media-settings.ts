import { z } from 'zod'
import { parseS3Url, type S3Settings } from '../adapters/media/s3-url.ts'

const store = z.string().transform((text, context): Omit<S3Settings, 'credentials'> => {
  const read = parseS3Url(text)
  if (typeof read !== 'string') return read
  context.addIssue(read)
  return z.NEVER
})

/** The part of the environment that concerns the store of pictures and archives. */
export const MEDIA_VARIABLES = {
  VRATA_MEDIA_URL: store.optional(),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  AWS_SESSION_TOKEN: z.string().min(1).optional(),
}

/** Undefined when the store is the data folder. The two keys are given together, or neither is. */
export function mediaStore(set: z.output<z.ZodObject<typeof MEDIA_VARIABLES>>): S3Settings | undefined {
  const { VRATA_MEDIA_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = set
  if (!VRATA_MEDIA_URL) return undefined
  const credentials =
    AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
      ? {
          accessKeyId: AWS_ACCESS_KEY_ID,
          secretAccessKey: AWS_SECRET_ACCESS_KEY,
          ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
        }
      : undefined
  return { ...VRATA_MEDIA_URL, credentials }
}
