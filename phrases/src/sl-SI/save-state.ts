import type { saveState as english } from '../en-US/save-state.ts'

export const saveState: Record<keyof typeof english, string> = {
  saving: 'Shranjevanje …',
  saved: 'Shranjeno',
  failed: 'Ni shranjeno',
  left: 'Sprememba na strani, ki ste jo zapustili, ni shranjena. {why}',
}
