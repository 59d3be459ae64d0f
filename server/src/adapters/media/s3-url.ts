import { decoded } from '../../config/addresses.ts'

/** A bucket of an S3-compatible store. */
export type S3Settings = {
  bucket: string
  /** Begins every name; empty, or ends with a slash. */
  prefix: string
  region: string
  /** Address of the store; Amazon's when undefined. */
  endpoint: string | undefined
  /** The bucket in the path instead of the host name, as most stores but Amazon's want. */
  path_style: boolean
  /** Undefined: the SDK looks in its usual places, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined
}

/**
 * Reads `s3://bucket/prefix?region=…&endpoint=https://…`. `path_style` is on when an endpoint is given, unless `path_style=off`.
 * Returns what is wrong with it as a sentence.
 */
export function parseS3Url(text: string): Omit<S3Settings, 'credentials'> | string {
  if (!URL.canParse(text) || !text.startsWith('s3://')) return 'must be like s3://bucket/prefix?endpoint=https://…'
  const { hostname: bucket, pathname, searchParams, username, port } = new URL(text)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || port) return 'must name a bucket, as in s3://bucket'
  if (username) return 'must have no credentials; they are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  const unknown = [...searchParams.keys()].find((name) => !['region', 'endpoint', 'path_style'].includes(name))
  if (unknown) return `has the unknown parameter ${unknown}; known are region, endpoint and path_style`
  const endpoint = searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:\/\//.test(endpoint)))
    return 'must have an http or https URL as endpoint'
  const path_style = searchParams.get('path_style') ?? (endpoint ? 'on' : 'off')
  if (path_style !== 'on' && path_style !== 'off') return 'must have on or off as path_style'
  const folder = decoded(pathname)?.replace(/^\/+|\/+$/g, '')
  if (folder === undefined) return 'must have a prefix in which % is written as %25'
  return {
    bucket,
    prefix: folder ? `${folder}/` : '',
    region: searchParams.get('region') ?? 'us-east-1',
    endpoint,
    path_style: path_style === 'on',
  }
}
