import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

type Kind = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

/** A picture whose left half is red and whose right half is blue, as a file of this kind. */
export async function halves(kind: Kind, { width = 80, height = 40 } = {}): Promise<Buffer<ArrayBuffer>> {
  return own(await redAndBlue(width, height).toFormat(kind).toBuffer())
}

/** A rotated photo as phones store it, with EXIF orientation and GPS position. Upright, the upper half is red. */
export async function rotatedPhoto(): Promise<Buffer<ArrayBuffer>> {
  const exif = { IFD0: { Copyright: 'Ana Kovač' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '46/1 3/1 0/1' } }
  return own(await redAndBlue(80, 40).jpeg().withExif(exif).withMetadata({ exif, orientation: 6 }).toBuffer())
}

/** A small file with many pixels. */
export async function bomb(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const create = { width, height, channels: 3 as const, background: '#fff' }
  return own(await sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer())
}

/** A picture that compresses badly, for tests that truncate it. */
export async function noise(): Promise<Buffer<ArrayBuffer>> {
  const pixels = randomBytes(300 * 300 * 3)
  return own(
    await sharp(pixels, { raw: { width: 300, height: 300, channels: 3 } })
      .jpeg()
      .toBuffer(),
  )
}

/** A file of a form. Name and type need not match its content. */
export function fileOf(bytes: Uint8Array<ArrayBuffer>, name = 'holiday.jpg'): File {
  return new File([bytes], name, { type: 'image/jpeg' })
}

/** Format, size, number of metadata blocks and edge colors of a rendered picture. */
export async function inspectPicture(bytes: Buffer) {
  const picture = sharp(bytes)
  const { format, width, height, exif, icc, xmp } = await picture.metadata()
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const color = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    return (data[at] as number) > (data[at + 2] as number) ? 'red' : 'blue'
  }
  return {
    format,
    width,
    height,
    metadata: [exif, icc, xmp].filter(Boolean).length,
    top: color(0.5, 0.1),
    bottom: color(0.5, 0.9),
    left: color(0.1, 0.5),
    right: color(0.9, 0.5),
  }
}

function redAndBlue(width: number, height: number) {
  const half = { width: width / 2, height, channels: 3 as const, background: '#00f' }
  return sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: { create: half }, left: width / 2, top: 0 },
  ])
}

function own(buffer: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(new Uint8Array(buffer))
}
