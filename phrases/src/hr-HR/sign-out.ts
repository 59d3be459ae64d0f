import type { signOut as english } from '../en-US/sign-out.ts'

export const signOut: Record<keyof typeof english, string> = {
  title: 'Odjava u tijeku',
  ask: 'Želite li se odjaviti na ovom uređaju?',
  do: 'Odjavi me',
  done: 'Odjavljeni ste',
  failed: 'Još ste prijavljeni',
  'deleted.title': 'Vaš će račun biti izbrisan',
  'deleted.text': 'Svugdje ste odjavljeni. Vaš račun i sve u njemu trajno se briše {date}',
  'deleted.mail': 'O tome smo vam poslali poruku. Ako se prijavite prije tog dana, račun se neće izbrisati.',
  'deleted.keep': 'Prijavite se i zadržite račun',
}
