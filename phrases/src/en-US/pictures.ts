export const pictures = {
  add: 'Add a picture',
  change: 'Change picture',
  hint: 'JPEG, PNG, WebP, AVIF or GIF, up to 10 MB. It is shown whole; square ones look best.',
  sending: 'Sending the picture',
  saved: 'The new picture is here.',
  remove: 'Remove',
  remove_ask: 'Remove the picture?',
  remove_text: 'Initials will be shown instead. The picture is deleted and cannot be brought back.',
  removed: 'The picture is removed.',
} as const
