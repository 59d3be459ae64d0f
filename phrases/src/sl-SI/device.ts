import type { device as english } from '../en-US/device.ts'

export const device: Record<keyof typeof english, string> = {
  title: 'Povežite napravo',
  text: 'Televizor, terminal ali druga naprava prikazuje kodo. Vpišite jo sem in napravi dovolite uporabo svojega računa.',
  code: 'Koda na napravi',
  code_hint: 'Osem črk. Vezaj se doda samodejno.',
  compare: 'Nadaljujte samo, če vaša naprava zdaj prikazuje natanko to kodo.',
  code_invalid: 'Vpišite vseh osem črk kode.',
  go_on: 'Nadaljuj',
  unknown: 'Te kode ne prikazuje nobena naprava. Preverite vsako črko.',
  ended: 'Ta koda ne velja več. Koda velja deset minut, deluje enkrat in za en račun. Na napravi prikažite novo.',
  same: 'Je to koda na vaši napravi?',
  warning:
    'Dovolite samo, če ste to pravkar začeli sami, na svoji napravi. Nihče, ki vas kliče ali vam piše, tega ne potrebuje.',
  what: 'Naprava',
  place: 'Lokacija',
  address: 'Naslov IP',
  when: 'Zahtevano',
  deny: 'Zavrni',
  'allowed.title': 'Naprava je povezana',
  'allowed.text':
    'Čez nekaj sekund bo nadaljevala samodejno, to stran pa lahko zaprete. Dostop velja, dokler se ne odjavite iz tega brskalnika ali aplikacije ne odstranite na strani Povezane aplikacije.',
  'denied.title': 'Zavrnjeno',
  'denied.text': 'Naprava nima dostopa. Če vam je kodo nekdo poslal, je poskušal priti v vaš račun.',
  apps: 'Poglej povezane aplikacije',
}
