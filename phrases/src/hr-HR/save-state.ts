import type { saveState as english } from '../en-US/save-state.ts'

export const saveState: Record<keyof typeof english, string> = {
  saving: 'Spremanje…',
  saved: 'Spremljeno',
  failed: 'Nije spremljeno',
  left: 'Promjena na stranici koju ste napustili nije spremljena. {why}',
}
