/** The square of a picture that is shown, in the picture's own pixels. */
export type Crop = { x: number; y: number; side: number }
export type Size = { width: number; height: number }

/** The middle of the picture, as large as it goes. */
export function wholeCrop({ width, height }: Size): Crop {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** The same square moved by so many pixels of the picture; it stays inside. */
export function movedCrop({ x, y, side }: Crop, { width, height }: Size, by: { x: number; y: number }): Crop {
  return { x: clamp(x + by.x, width - side), y: clamp(y + by.y, height - side), side }
}

/** The same middle seen from nearer: at 1 the square is as large as it goes, at 4 a quarter of that. */
export function zoomedCrop({ x, y, side }: Crop, size: Size, zoom: number): Crop {
  const next = Math.min(size.width, size.height) / zoom
  const shift = (side - next) / 2
  return movedCrop({ x, y, side: next }, size, { x: shift, y: shift })
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}

/** Edge of what is sent, in pixels: the largest that is shown anywhere, twice for dense screens, is 512. */
const EDGE = 512

/** Draws the square onto a canvas of `edge` pixels. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, { x, y, side }: Crop, edge: number): void {
  canvas.width = edge
  canvas.height = edge
  const paper = canvas.getContext('2d')
  if (!paper) return
  paper.imageSmoothingQuality = 'high'
  paper.drawImage(picture, x, y, side, side, 0, 0, edge, edge)
}

/** The square as a file: WebP where the browser can write it, else PNG. Null when the picture is too large for it. */
export function cropToFile(picture: ImageBitmap, crop: Crop): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  drawCrop(canvas, picture, crop, EDGE)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92))
}
