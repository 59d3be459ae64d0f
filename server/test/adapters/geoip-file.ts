import { writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'

export interface Spot {
  /** In English, or by language. */
  city?: string | Record<string, string>
  country: string
}

/**
 * Writes a database in MaxMind's format (MaxMind DB file format 2.0): a binary tree over the bits of an address, whose
 * leaves point to records. IPv4 is below `::/96`.
 */
export function writePlaces(file: string, spots: Record<string, Spot>): void {
  const tree: Node[] = [[null, null]]
  const records: Buffer[] = []
  for (const [network, { city, country }] of Object.entries(spots)) {
    const leaf = -1 - Buffer.concat(records).length
    const names = typeof city === 'string' ? { en: city } : city
    records.push(value({ ...(names ? { city: { names } } : {}), country: { iso_code: country } }))
    const bits = bitsOf(network)
    let at = 0
    for (const bit of bits.slice(0, -1)) at = (tree[at] as Node)[bit] ??= tree.push([null, null]) - 1
    ;(tree[at] as Node)[bits.at(-1) as Bit] = leaf
  }
  const nodes = tree.flat().map((to) => {
    const bytes = Buffer.alloc(4)
    // No record: the number of nodes. A record: its offset after the nodes and the 16 zero bytes that follow them.
    bytes.writeUInt32BE(to === null ? tree.length : to < 0 ? tree.length + 16 - 1 - to : to)
    return bytes
  })
  const about = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_795_000_000,
    database_type: 'Vrata-Test-City',
    ip_version: 6,
    node_count: tree.length,
    record_size: 32,
  }
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  writeFileSync(file, Buffer.concat([...nodes, Buffer.alloc(16), ...records, marker, value(about)]))
}

type Bit = 0 | 1
/** Targets of the bits 0 and 1: a node, a record (-1 minus its offset), or null. */
type Node = [number | null, number | null]
type Value = string | number | { [name: string]: Value }

/** Encodes numbers as `uint32` (6), strings (2) and maps (7); short values only. */
function value(of: Value): Buffer {
  if (typeof of === 'number') return Buffer.concat([head(6, 4), Buffer.from(of.toString(16).padStart(8, '0'), 'hex')])
  if (typeof of === 'string') return Buffer.concat([head(2, Buffer.byteLength(of)), Buffer.from(of)])
  const entries = Object.entries(of)
  return Buffer.concat([head(7, entries.length), ...entries.flatMap(([name, one]) => [value(name), value(one)])])
}

function head(type: number, size: number): Buffer {
  return Buffer.from([(type << 5) | size])
}

/** The bits of a network such as `89.142.0.0/16`. */
function bitsOf(network: string): Bit[] {
  const [address = '', length = ''] = network.split('/')
  const v4 = isIPv4(address)
  const [left = '', right = ''] = address.split('::').map((half) => half.split(':').filter(Boolean).map(group).join(''))
  const path = v4
    ? '0'.repeat(96) + address.split('.').map(octet).join('')
    : left.padEnd(128 - right.length, '0') + right
  return [...path].slice(0, Number(length) + (v4 ? 96 : 0)).map((bit) => (bit === '1' ? 1 : 0))
}

const group = (hex: string) => Number.parseInt(hex, 16).toString(2).padStart(16, '0')
const octet = (decimal: string) => Number(decimal).toString(2).padStart(8, '0')
