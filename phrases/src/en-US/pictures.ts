import type { PictureFieldCode } from '@vrata/contract/problem'

export const pictures = {
  add: 'Add a picture',
  change: 'Change picture',
  hint: 'JPEG, PNG, WebP, AVIF or GIF, up to 10 MB. Shown in full; square pictures look best.',
  sending: 'Uploading the picture',
  saved: 'Picture updated.',
  not_saved: 'The picture was not saved. {why}',
  remove: 'Remove',
  remove_ask: 'Remove the picture?',
  remove_text: 'Initials will be shown instead. This can’t be undone.',
  removed: 'Picture removed.',
  'field.not_a_picture': 'This file can’t be used as a picture. Choose a JPEG, PNG, WebP, AVIF or GIF.',
  'field.svg_refused': 'SVG files are not accepted. Choose a JPEG, PNG, WebP, AVIF or GIF.',
  'field.broken_picture': 'This picture is damaged or incomplete. Choose another one.',
  'field.polyglot': 'This file contains something other than a picture. Choose another one.',
  'field.too_many_pixels': 'This picture is too large. Up to 50 megapixels are accepted.',
} as const satisfies Record<`field.${PictureFieldCode}`, string> & Record<string, string>
