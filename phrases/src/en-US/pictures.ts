export const pictures = {
  add: 'Add a picture',
  change: 'Change picture',
  hint: 'JPEG, PNG, WebP, AVIF or GIF, up to 10 MB. Shown in full; square pictures look best.',
  sending: 'Uploading the picture',
  saved: 'Picture updated.',
  remove: 'Remove',
  remove_ask: 'Remove the picture?',
  remove_text: 'Initials will be shown instead. This can’t be undone.',
  removed: 'Picture removed.',
} as const
