import type { device as english } from '../en-US/device.ts'

export const device: Record<keyof typeof english, string> = {
  title: 'Povežite napravo',
  text: 'Televizor, terminal ali druga naprava prikazuje kodo. Vpišite jo sem in napravi dovolite uporabo vašega računa.',
  code: 'Koda na napravi',
  code_hint: 'Osem črk. Vezaj se vpiše sam.',
  compare: 'Nadaljujte samo, če vaša naprava zdaj kaže natanko to kodo.',
  code_invalid: 'Vpišite vseh osem črk kode.',
  go_on: 'Nadaljuj',
  unknown: 'Te kode ne kaže nobena naprava. Primerjajte jo črko za črko.',
  ended: 'Ta koda ne velja več: velja deset minut, enkrat in za en račun. Na napravi prikažite novo.',
  same: 'Je to koda na vaši napravi?',
  warning:
    'Dovolite samo, če ste to pravkar začeli sami, na svoji napravi. Nihče, ki vas kliče ali vam piše, tega ne potrebuje.',
  what: 'Naprava',
  place: 'Kraj',
  address: 'Naslov',
  when: 'Zahtevano',
  deny: 'Zavrni',
  'allowed.title': 'Naprava je povezana',
  'allowed.text':
    'Čez nekaj sekund bo nadaljevala sama, to stran pa lahko zaprete. Dostop se konča, ko se odjavite iz tega brskalnika ali ga prekličete med povezanimi aplikacijami.',
  'denied.title': 'Zavrnjeno',
  'denied.text': 'Naprava ni dobila ničesar. Če vam je kodo nekdo poslal, je hotel vaš račun.',
  apps: 'Poglej povezane aplikacije',
}
