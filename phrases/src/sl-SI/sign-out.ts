import type { signOut as english } from '../en-US/sign-out.ts'

export const signOut: Record<keyof typeof english, string> = {
  title: 'Odjavljanje',
  ask: 'Se želite odjaviti na tej napravi?',
  do: 'Odjavi me',
  done: 'Odjavljeni ste',
  failed: 'Še vedno ste prijavljeni',
  'deleted.title': 'Vaš račun bo izbrisan',
  'deleted.text': 'Odjavljeni ste povsod. Vaš račun z vso vsebino bo trajno izbrisan {date}.',
  'deleted.mail': 'O tem smo vam poslali sporočilo. Če se prijavite pred tem dnem, račun ne bo izbrisan.',
  'deleted.keep': 'Prijavite se in obdržite račun',
}
