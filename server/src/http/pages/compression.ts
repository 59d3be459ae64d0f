import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export type Encoding = 'br' | 'gzip'

/** The best encoding that an `Accept-Encoding` header allows; undefined for none (RFC 9110 §12.5.3). */
export function bestEncoding(header: string | string[] | undefined): Encoding | undefined {
  const wanted = new Map(
    String(header ?? '')
      .split(',')
      .map((part) => {
        const [name = '', weight] = part.split(';').map((text) => text.trim().toLowerCase())
        return [name, weight?.startsWith('q=') ? Number(weight.slice(2)) : 1]
      }),
  )
  const allowed = (name: Encoding) => (wanted.get(name) ?? wanted.get('*') ?? 0) > 0
  if (allowed('br')) return 'br'
  return allowed('gzip') ? 'gzip' : undefined
}

/** `fast` for responses sent once, `small` for cached ones. */
export async function compressed(
  text: string,
  encoding: Encoding | undefined,
  effort: 'fast' | 'small',
): Promise<Buffer> {
  if (encoding === 'br') {
    return brotli(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: effort === 'fast' ? 4 : 11,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    })
  }
  return encoding === 'gzip' ? zip(text, { level: effort === 'fast' ? 4 : 9 }) : Buffer.from(text)
}
