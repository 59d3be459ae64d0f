import type { PictureSize } from '@vrata/contract/media'

/** File name of one size of a picture: `<128 bits>-64.webp`. */
export function fileName(picture: string, size: PictureSize): string {
  return picture.replace(/\.webp$/, `-${size}.webp`)
}
