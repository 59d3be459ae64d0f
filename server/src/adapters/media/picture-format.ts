import type { FieldCode } from '@vrata/contract'

/** Accepted picture formats, detected by their first bytes, never by name (security §5.2.2). */
const PICTURES: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  (bytes) => /^RIFF.{4}WEBP/s.test(bytes.toString('latin1', 0, 12)),
  (bytes) => /^.{4}ftyp(avif|avis|mif1.*avif)/s.test(bytes.toString('latin1', 0, 64)),
]

/** First bytes of documents, programs and archives: a picture that contains one is a polyglot file. */
const OTHERS = /<(script|\?php|!doctype html|html|svg xmlns)/i
const LONGEST = '<!doctype html'.length
/** Bytes of a file that are searched at once. */
const PIECE = 64 * 1024
const PDF = Buffer.from('%PDF-')
const ZIP_END = Buffer.from('504b0506', 'hex')
/** Offsets at which readers of these formats look for them. */
const PDF_WITHIN = 1024
const ZIP_TAIL = 22 + 0xffff

/** Why the bytes are rejected as a picture; undefined when they are accepted. */
export function objection(bytes: Buffer): FieldCode | undefined {
  if (!PICTURES.some((is) => is(bytes))) return isSvg(bytes) ? 'svg_refused' : 'not_a_picture'
  return isSomethingElse(bytes) ? 'polyglot' : undefined
}

function isSvg(bytes: Buffer): boolean {
  return /<svg[\s>]|<!doctype svg/i.test(bytes.toString('latin1', 0, 4096)) || isGzip(bytes)
}

/** SVG files may be compressed; other compressed files are never pictures. */
function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

function isSomethingElse(bytes: Buffer): boolean {
  if (bytes.subarray(0, PDF_WITHIN).includes(PDF) || endsAsZip(bytes)) return true
  for (let at = 0; at < bytes.length; at += PIECE)
    if (OTHERS.test(bytes.toString('latin1', at, at + PIECE + LONGEST))) return true
  return false
}

/** The end record of a ZIP contains the length of the comment after it, which does not match by chance. */
function endsAsZip(bytes: Buffer): boolean {
  const tail = bytes.subarray(-ZIP_TAIL)
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    if (at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true
  }
  return false
}
