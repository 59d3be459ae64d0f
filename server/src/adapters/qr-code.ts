import { generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'

/** A QR code as a `data:` URL: black on white with the quiet zone of ISO/IEC 18004. */
export function qrCode(text: string): string {
  const svg = toSvgSource(generate(text), { on: '#000', off: '#fff', pad: 4, scale: 8 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
