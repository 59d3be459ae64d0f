import type { PictureSize } from '@vrata/contract/media'

/** Where one size of a picture lies: `<128 bits>-64.webp`. */
export function fileOf(picture: string, size: PictureSize): string {
  return picture.replace(/\.webp$/, `-${size}.webp`)
}
