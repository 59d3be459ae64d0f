/** Visible square of a picture in pixels of the picture. */
export type Crop = { x: number; y: number; side: number }
export type Size = { width: number; height: number }

/** The largest centered square. */
export function initialCrop({ width, height }: Size): Crop {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** Moves the square by a number of picture pixels, within the picture. */
export function moveCrop({ x, y, side }: Crop, { width, height }: Size, by: { x: number; y: number }): Crop {
  return { x: clamp(x + by.x, width - side), y: clamp(y + by.y, height - side), side }
}

/** Scales the square around its center: zoom 1 is the largest square, zoom 4 a quarter of its side. */
export function zoomCrop({ x, y, side }: Crop, size: Size, zoom: number): Crop {
  const next = Math.min(size.width, size.height) / zoom
  const shift = (side - next) / 2
  return moveCrop({ x, y, side: next }, size, { x: shift, y: shift })
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}

/** Edge of the uploaded picture in pixels: twice the largest displayed size. */
const EDGE = 512

/** Draws the square onto a canvas of `edge` by `edge` pixels. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, { x, y, side }: Crop, edge: number): void {
  canvas.width = edge
  canvas.height = edge
  const target = canvas.getContext('2d')
  if (!target) return
  target.imageSmoothingQuality = 'high'
  target.drawImage(picture, x, y, side, side, 0, 0, edge, edge)
}

/** The square as a file: WebP where the browser supports it, else PNG. Null when encoding fails. */
export function cropToFile(picture: ImageBitmap, crop: Crop): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  drawCrop(canvas, picture, crop, EDGE)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92))
}
