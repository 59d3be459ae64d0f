/** A relative distinguished name: its attributes as `type=value`, sorted, because they are a set. */
type RelativeName = string[]

/**
 * Attribute types by their object identifiers: those of RFC 4514 §3 and others that occur in certificates, with the names that
 * OpenSSL gives them.
 */
const TYPES: Record<string, string> = {
  '2.5.4.3': 'cn',
  '2.5.4.4': 'sn',
  '2.5.4.5': 'serialnumber',
  '2.5.4.6': 'c',
  '2.5.4.7': 'l',
  '2.5.4.8': 'st',
  '2.5.4.9': 'street',
  '2.5.4.10': 'o',
  '2.5.4.11': 'ou',
  '2.5.4.12': 'title',
  '2.5.4.15': 'businesscategory',
  '2.5.4.17': 'postalcode',
  '2.5.4.42': 'gn',
  '2.5.4.46': 'dnqualifier',
  '2.5.4.97': 'organizationidentifier',
  '0.9.2342.19200300.100.1.1': 'uid',
  '0.9.2342.19200300.100.1.25': 'dc',
  '1.2.840.113549.1.9.1': 'emailaddress',
  '1.3.6.1.4.1.311.60.2.1.2': 'jurisdictionst',
  '1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionc',
}

/** Tags of strings whose bytes are UTF-8 (X.690 §8): UTF8String, NumericString, PrintableString, IA5String. */
const STRING_TAGS = [0x0c, 0x12, 0x13, 0x16]

/** Type, `=`, and a value with escapes (RFC 4514 §3), up to the separator. */
const ATTRIBUTE =
  /\s*([a-z][a-z0-9-]*|\d+(?:\.\d+)+)\s*=\s*((?:\\(?:[0-9a-f]{2}|[^0-9a-f])|[^\\,+";<>])*?)\s*([,+]|$)/iy

/**
 * Parses a distinguished name (RFC 4514). Returns undefined when it is malformed or empty. Spaces around types, values and
 * separators are ignored; types compare without case and by identifier, values exactly (Unicode NFC).
 */
export function parseDistinguishedName(text: string): RelativeName[] | undefined {
  const names: RelativeName[] = []
  let name: RelativeName = []
  ATTRIBUTE.lastIndex = 0
  for (;;) {
    const [whole, type = '', escaped = '', separator] = ATTRIBUTE.exec(text) ?? []
    const value = escaped.startsWith('#') ? decodeHex(escaped.slice(1)) : unescapeValue(escaped)
    if (whole === undefined || value === undefined) return undefined
    name.push(`${TYPES[type] ?? type.toLowerCase()}=${value.normalize('NFC')}`)
    if (separator === '+') continue
    names.push(name.sort())
    name = []
    if (separator === '') return names
  }
}

/** Whether two names have equal attributes in the same order (RFC 5280 §7.1, with exact values). */
export function isSameName(one: readonly RelativeName[], other: readonly RelativeName[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** `\XX` is a byte of the UTF-8 text, `\` before another character is that character (RFC 4514 §2.4). */
function unescapeValue(value: string): string | undefined {
  const bytes = value.replace(/((?:\\[0-9a-f]{2})+)|\\(.)/gi, (_, hex: string | undefined, character: string) =>
    hex === undefined ? character : (decodeUtf8(hex.replaceAll('\\', '')) ?? '\ufffd'),
  )
  return bytes.includes('\ufffd') ? undefined : bytes
}

/** The string in a hexadecimal BER encoding of fewer than 128 bytes; undefined for other types. */
function decodeHex(hex: string): string | undefined {
  const tag = Number.parseInt(hex.slice(0, 2), 16)
  const length = Number.parseInt(hex.slice(2, 4), 16)
  const content = hex.slice(4)
  if (!/^[0-9a-f]+$/i.test(hex) || !STRING_TAGS.includes(tag) || length >= 128 || content.length !== 2 * length) return
  return decodeUtf8(content)
}

function decodeUtf8(hex: string): string | undefined {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const text = new TextDecoder().decode(bytes)
  return text.includes('\ufffd') ? undefined : text
}
