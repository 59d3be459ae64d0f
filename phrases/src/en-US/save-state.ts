export const saveState = {
  saving: 'Saving…',
  saved: 'Saved',
  failed: 'Not saved',
} as const
