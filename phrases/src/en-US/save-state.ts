export const saveState = {
  saving: 'Saving…',
  saved: 'Saved',
  failed: 'Not saved',
  left: 'A change on the page that you have left was not saved. {why}',
} as const
