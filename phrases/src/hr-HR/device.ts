import type { device as english } from '../en-US/device.ts'

export const device: Record<keyof typeof english, string> = {
  title: 'Povežite uređaj',
  text: 'Televizor, terminal ili drugi uređaj prikazuje kod. Upišite ga ovdje i dopustite uređaju da se služi vašim računom.',
  code: 'Kod na uređaju',
  code_hint: 'Osam slova. Crtica se upisuje sama.',
  compare: 'Nastavite samo ako vaš uređaj upravo sada prikazuje točno ovaj kod.',
  code_invalid: 'Upišite svih osam slova koda.',
  go_on: 'Nastavi',
  unknown: 'Nijedan uređaj ne prikazuje ovaj kod. Usporedite ga slovo po slovo.',
  ended: 'Ovaj kod više ne vrijedi: vrijedi deset minuta, jednom i za jedan račun. Na uređaju prikažite novi.',
  same: 'Je li to kod na vašem uređaju?',
  warning:
    'Dopustite samo ako ste to upravo sami pokrenuli, na svojem uređaju. Nitko tko vas zove ili vam piše to ne treba.',
  what: 'Uređaj',
  place: 'Mjesto',
  address: 'Adresa',
  when: 'Zatraženo',
  deny: 'Odbij',
  'allowed.title': 'Uređaj je povezan',
  'allowed.text':
    'Za nekoliko će sekundi sam nastaviti, a ovu stranicu možete zatvoriti. Pristup završava kad se odjavite iz ovog preglednika ili ga uklonite među povezanim aplikacijama.',
  'denied.title': 'Odbijeno',
  'denied.text': 'Uređaj nije dobio ništa. Ako vam je netko poslao taj kod, htio je vaš račun.',
  apps: 'Pogledaj povezane aplikacije',
}
