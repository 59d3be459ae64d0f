import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

type Kind = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

/** A picture whose left half is red and whose right half is blue, as a file of this kind. */
export async function halves(kind: Kind, { width = 80, height = 40 } = {}): Promise<Buffer<ArrayBuffer>> {
  return own(await redAndBlue(width, height).toFormat(kind).toBuffer())
}

/**
 * What a telephone held upright writes: the pixels lie on their side, and EXIF says to turn them; with it, where it was
 * taken. Upright, the upper half is red.
 */
export async function onItsSide(): Promise<Buffer<ArrayBuffer>> {
  const exif = { IFD0: { Copyright: 'Ana Kovač' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '46/1 3/1 0/1' } }
  return own(await redAndBlue(80, 40).jpeg().withExif(exif).withMetadata({ exif, orientation: 6 }).toBuffer())
}

/** Few bytes that are many pixels. */
export async function bomb(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const create = { width, height, channels: 3 as const, background: '#fff' }
  return own(await sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer())
}

/** A picture that does not become small, so that there is something to cut off. */
export async function noise(): Promise<Buffer<ArrayBuffer>> {
  const pixels = randomBytes(300 * 300 * 3)
  return own(
    await sharp(pixels, { raw: { width: 300, height: 300, channels: 3 } })
      .jpeg()
      .toBuffer(),
  )
}

/** A form's file; its name lies, as names do. */
export function fileOf(bytes: Uint8Array<ArrayBuffer>, name = 'holiday.jpg'): File {
  return new File([bytes], name, { type: 'image/jpeg' })
}

/** Size, and the colours in the middle of each quarter's outer edge, of a picture that the house shows. */
export async function seen(bytes: Buffer) {
  const picture = sharp(bytes)
  const { format, width, height, exif, icc, xmp } = await picture.metadata()
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colour = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    return (data[at] as number) > (data[at + 2] as number) ? 'red' : 'blue'
  }
  return {
    format,
    width,
    height,
    metadata: [exif, icc, xmp].filter(Boolean).length,
    top: colour(0.5, 0.1),
    bottom: colour(0.5, 0.9),
    left: colour(0.1, 0.5),
    right: colour(0.9, 0.5),
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
